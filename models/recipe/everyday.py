# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""A generator of everyday sentences.

Old books teach a small model grammar, but not cats, shops and rain, and people type sentences
about cats, shops and rain. Each function below writes one kind of sentence. Many of them can be
continued correctly only by looking back at one earlier word, so that a head has a reason to look
there:

  because   "The cat sat on the mat because it was tired"      what `it` is decides what comes next
  give      "When Mary and John went to the shop, John gave a drink to Mary"   the other name
  agree     "The keys to the cabinet are on the table"         the verb follows the far noun
  quote     a quotation mark or bracket that was opened is closed
  copy      a code word that was said is said again

How they become stories, and which are held out: stories.py.
"""

from stories import Stories

WOMEN = ("Mary Anna Lucy Emma Sarah Jane Alice Kate Rose Ella Helen Laura Julia Grace Ruth Nora "
         "Clara Maria Eva Susan Linda Amy Lily Sophie").split()
MEN = ("John Tom Peter Paul James Jack Ben Sam David Mark Henry George Max Leo Daniel Adam Frank "
       "Oliver Robert Martin Simon Luke Harry Bill").split()

# animal: (places it likes, what it does)
ANIMALS = {
    "cat": ("the mat|the bed|the sofa|the chair|the roof|the wall", "sat|slept|lay|waited|rested"),
    "dog": ("the mat|the floor|the grass|the rug|the sofa", "sat|slept|lay|waited|rested"),
    "bird": ("the roof|the branch|the fence|the wall", "sat|sang|waited|rested|landed"),
    "horse": ("the grass|the hill|the road", "stood|waited|rested|stopped"),
    "mouse": ("the floor|the shelf|the table|the rug", "sat|slept|waited|hid"),
    "rabbit": ("the grass|the hill|the path", "sat|lay|waited|rested"),
    "fox": ("the hill|the path|the snow|the grass", "sat|slept|lay|waited"),
    "cow": ("the grass|the hill|the road", "stood|lay|waited|rested"),
    "duck": ("the grass|the water|the path", "sat|slept|rested|landed"),
    "sheep": ("the grass|the hill|the path", "stood|lay|waited|rested"),
    "frog": ("the stone|the leaf|the grass", "sat|waited|rested|jumped"),
    "lion": ("the rock|the grass|the hill", "sat|slept|lay|rested"),
    "bear": ("the grass|the snow|the rock", "sat|slept|lay|rested"),
    "kitten": ("the mat|the bed|the rug|the chair", "sat|slept|lay|played"),
    "puppy": ("the mat|the bed|the rug|the grass", "sat|slept|lay|played"),
}
PLURALS = {"mouse": "mice", "sheep": "sheep", "fox": "foxes", "puppy": "puppies", "child": "children",
           "man": "men", "woman": "women", "baby": "babies", "box": "boxes", "glass": "glasses",
           "dress": "dresses", "knife": "knives", "leaf": "leaves", "key": "keys", "boy": "boys",
           "class": "classes", "city": "cities", "story": "stories"}
FEELINGS = "tired|hungry|cold|thirsty|happy|sad|afraid|angry|old|sick|sleepy|lonely|hot|wet|bored".split("|")
LOOKS = "big|small|old|young|black|white|brown|grey|red|little|fat|quiet|quick|lazy|clever|good".split("|")

# thing: (what happened to it, why)
THINGS = {
    "cup": ("fell from the table|broke", "full|wet|old|too hot"),
    "glass": ("fell from the table|broke", "full|wet|thin|too hot"),
    "plate": ("fell on the floor|broke", "wet|heavy|old|thin"),
    "chair": ("broke|fell over", "old|weak|too small"),
    "door": ("did not open|stayed closed", "locked|broken|too heavy"),
    "window": ("did not open|stayed closed", "locked|broken|old"),
    "car": ("did not start|stopped", "old|broken|cold"),
    "clock": ("stopped|was wrong", "old|broken|cheap"),
    "box": ("fell from the shelf|stayed closed", "heavy|full|locked|too big"),
    "bag": ("fell on the floor|broke", "heavy|full|old|wet"),
    "bread": ("tasted bad|was thrown away", "old|hard|dry"),
    "soup": ("tasted good|was soon gone", "hot|fresh|warm"),
    "milk": ("tasted bad|was thrown away", "old|sour|warm"),
    "cake": ("tasted good|was soon gone", "sweet|fresh|warm|soft"),
    "coat": ("was too small|was left at home", "old|wet|dirty|too thin"),
    "boat": ("stopped|sank", "old|broken|full of water"),
    "tree": ("fell", "old|dead|very tall"),
    "house": ("was sold|was empty", "old|too small|too big|cold"),
    "road": ("was closed|was empty", "wet|icy|too narrow"),
    "book": ("was sold|was not read", "old|too long|boring|dull"),
}
PLACES = "shop school park market station library garden beach museum church office kitchen farm hotel bank".split()
FURNITURE = "table chair bed shelf desk floor sofa box wall bench".split()
FOODS = ("apples pears bread cheese milk eggs butter rice fish meat carrots onions potatoes sugar salt tea coffee "
         "honey oranges lemons cakes nuts beans grapes").split()
GIFTS = ("a drink|a book|a flower|a letter|a ball|an apple|a ring|a pen|a coat|a key|a cake|a picture|a box|"
         "some money|some bread|a cup of tea").split("|")
OBJECTS = "key book cup ball pen hat bag box letter lamp knife spoon bottle coin map ring shoe plate".split()
PEOPLE = ("boy girl man woman teacher doctor farmer student baker child nurse king queen driver "
          "writer cook sailor").split()
COLOURS = "red blue green yellow white black brown pink grey orange".split()
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
MONTHS = ("January February March April May June July August September October November "
          "December").split()
NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split()
SEASONS = "spring|summer|autumn|winter".split("|")
PERSON_DID = ("went home|sat down|stayed in bed|went to bed early|ate an apple|drank some water|"
              "made a cup of tea|closed the window|put on a coat|called a friend|began to sing|"
              "began to cry|left the room|went for a walk|opened the door|ran home").split("|")
WHY = {
    "went home": "tired|cold|sick|wet", "sat down": "tired|old|sick", "stayed in bed": "sick|tired|cold",
    "went to bed early": "tired|sleepy|sick", "ate an apple": "hungry", "drank some water": "thirsty|hot",
    "made a cup of tea": "cold|thirsty|tired", "closed the window": "cold", "put on a coat": "cold|wet",
    "called a friend": "lonely|sad|happy|bored", "began to sing": "happy", "began to cry": "sad|afraid|lonely",
    "left the room": "angry|bored|tired", "went for a walk": "bored|happy|sad",
    "opened the door": "hot|curious", "ran home": "late|afraid|wet|hungry",
}
OPPOSITES = ("hot cold|big small|old young|good bad|long short|day night|black white|up down|rich poor|"
             "happy sad|open closed|wet dry|full empty|fast slow|hard soft|high low|left right|early late|"
             "light dark|strong weak|clean dirty|first last").split("|")
KINDS = ("dog animal|cat animal|horse animal|cow animal|rose flower|lily flower|oak tree|apple fruit|"
         "pear fruit|lemon fruit|gold metal|iron metal|Paris city|London city|Rome city|China country|"
         "France country|Italy country|piano instrument|violin instrument|red colour|blue colour|"
         "Monday day|May month|winter season|summer season").split("|")
FACTS = ("The sun is hot.|The sky is blue.|The grass is green.|Snow is white and cold.|Ice is cold.|"
         "Fish live in water.|Birds have wings and can fly.|A day has twenty-four hours.|A week has seven days.|"
         "A year has twelve months.|Bees make honey.|Cows give milk.|The moon shines at night.|"
         "Water is wet.|Fire is hot.|A child is smaller than a man.|Lemons are sour and honey is sweet.|"
         "The sun rises in the east and sets in the west.|Plants need water and light.|"
         "The capital of France is Paris.|The capital of Italy is Rome.|The capital of England is London.|"
         "The capital of China is Beijing.|The capital of Japan is Tokyo.|The capital of Germany is Berlin.").split("|")
TALK = ("I am tired|I am hungry|It is late|It is cold outside|I want to go home|I have lost my key|"
        "The train is late|Dinner is ready|I like your hat|We must go now|It is raining|I will come tomorrow|"
        "I do not know|The soup is too hot|My name is {n}|I can see the sea|I am very happy today|"
        "You can sit here|This is my house|I will help you|There is no milk|The shop is closed").split("|")
QUESTIONS = ("Where is the {o}|Have you seen my {o}|Is this your {o}|What time is it|How are you|"
             "Where do you live|Who are you|Are you tired|What is your name|Do you want some tea|"
             "Can you help me|Who has taken the {o}|Why are you sad|Is dinner ready").split("|")


def plural(noun):
    return PLURALS.get(noun, noun + "s")


def article(word):
    return ("an " if word[0] in "aeiou" else "a ") + word


def capital(text):
    return text[0].upper() + text[1:]


class Everyday(Stories):
    def __init__(self, seed):
        super().__init__(seed)
        self.kinds = [
            (self.because_animal, 5), (self.because_thing, 2), (self.because_person, 4), (self.give, 12),
            (self.shopping, 3), (self.counting, 1), (self.quote, 4), (self.ask, 3), (self.bracket, 2),
            (self.agree, 5), (self.date, 2), (self.sum, 1), (self.weather, 3), (self.opposite, 1),
            (self.kind, 1), (self.fact, 1), (self.morning, 2), (self.copy, 2), (self.there, 3),
            (self.own, 3), (self.lost, 2), (self.compare, 1), (self.chase, 3), (self.jump, 1),
            (self.colour, 2), (self.together, 2), (self.diary, 3), (self.named, 1),
        ]

    def new_cast(self):
        names = [(n, "she", "her") for n in WOMEN] + [(n, "he", "his") for n in MEN]
        self.cast = self.rand.sample(names, 3)
        self.pets = self.rand.sample(list(ANIMALS), 2)
        self.place = self.pick(PLACES)

    def two(self):
        a, b = self.rand.sample(self.cast, 2)
        return a, b

    def animal(self):
        name = self.pick(self.pets) if self.chance(0.6) else self.pick(list(ANIMALS))
        return name, (self.pick(LOOKS) + " " if self.chance(0.3) else "") + name

    # One function for each kind of sentence

    def because_animal(self):
        name, phrase = self.animal()
        places, verbs = ANIMALS[name]
        feeling = self.pick(FEELINGS)
        where = "on " + self.pick(places)
        if self.chance(0.25):
            number = self.pick("two|three|four|some|many")
            many = phrase.replace(name, plural(name))
            return f"{capital(number)} {many} {self.pick(verbs)} {where} because they were {feeling}."
        form = self.rand.randrange(4)
        if form == 0:
            return f"The {phrase} was {feeling}, so it {self.pick(verbs)} {where}."
        if form == 1:
            return f"Because the {phrase} was {feeling}, it {self.pick(verbs)} {where}."
        very = self.pick("|||very |so ")
        return f"The {phrase} {self.pick(verbs)} {where} because it was {very}{feeling}."

    def because_thing(self):
        thing = self.pick(list(THINGS))
        what, why = THINGS[thing]
        return f"The {thing} {self.pick(what)} because it was {self.pick(why)}."

    def because_person(self):
        name, she, her = self.pick(self.cast)
        did = self.pick(PERSON_DID)
        why = self.pick(WHY[did])
        form = self.rand.randrange(4)
        if form == 0:
            return f"{name} was {why}, so {she} {did}."
        if form == 1:
            return f"{name} was {self.pick('very|so|a little')} {why} and {did}."
        who = name if self.chance(0.6) else "The " + self.pick(PEOPLE)
        if who != name:
            she = "she" if who[4:] in ("girl", "woman", "queen") else "he"
        return f"{who} {did} because {she} was {why}."

    def give(self):
        (a, _, _), (b, _, _) = self.two()
        place = self.pick(PLACES)
        gift = self.pick(GIFTS)
        went = self.pick("went to|were at|came to|met at|walked to|were in|arrived at|left")
        start = self.pick("When|When|When|After|While|Then")
        verb = self.pick("gave|gave|gave|sold|showed|brought|handed")
        giver, taker = (a, b) if self.chance(0.5) else (b, a)
        if start == "Then":
            return f"Then {a} and {b} {went} the {place}, and {giver} {verb} {gift} to {taker}."
        return f"{start} {a} and {b} {went} the {place}, {giver} {verb} {gift} to {taker}."

    def shopping(self):
        name, she, _ = self.pick(self.cast)
        foods = self.rand.sample(FOODS, self.rand.randrange(2, 5))
        items = ", ".join(foods[:-1]) + " and " + foods[-1]
        form = self.rand.randrange(4)
        if form == 0:
            return f"{name} went to the market and bought {items}."
        if form == 1:
            return f"{name} needs {items}, so {she} goes to the shop to buy {items}."
        if form == 2:
            return f"For dinner we had {items}."
        return f"{name} likes {items}."

    def counting(self):
        form = self.rand.randrange(3)
        if form == 0:
            start = self.rand.randrange(1, 6)
            count = self.rand.randrange(3, 7)
            return capital(", ".join(NUMBERS[start:start + count])) + "."
        words = DAYS if form == 1 else MONTHS
        start = self.rand.randrange(len(words))
        count = self.rand.randrange(3, 6)
        return ", ".join(words[(start + i) % len(words)] for i in range(count)) + "."

    def talk(self):
        return self.pick(TALK).format(n=self.pick(self.cast)[0])

    def quote(self):
        name = self.pick(self.cast)[0]
        said = self.pick("said|said|said|cried|answered|whispered")
        form = self.rand.randrange(3)
        if form == 0:
            return f'"{self.talk()}," {said} {name}.'
        if form == 1:
            return f'{name} {said}, "{self.talk()}."'
        return f'{name} said that the word "{self.pick(OBJECTS)}" was short.'

    def ask(self):
        (a, _, _), (b, _, _) = self.two()
        thing = self.pick(OBJECTS)
        if self.chance(0.5):
            where = f"{self.pick('on|under|near')} the {self.pick(FURNITURE)}"
            return f'"Where is the {thing}?" asked {a}. "The {thing} is {where}," said {b}.'
        question = self.pick(QUESTIONS).format(o=thing)
        return f'"{question}?" asked {a}. "{self.talk()}," said {b}.'

    def bracket(self):
        form = self.rand.randrange(3)
        if form == 0:
            where = self.pick("next to|behind|near|opposite")
            a, b = self.rand.sample(PLACES, 2)
            return f"The {a} ({where} the {b}) was {self.pick('closed|open|empty|full|new|old')}."
        if form == 1:
            name = self.animal()[0]
            a, b = self.rand.sample(LOOKS, 2)
            return f"The {name} ({a} and {b}) {self.pick('ran away|came back|was asleep|looked at us')}."
        name, _, her = self.pick(self.cast)
        other = self.pick("brother|sister|friend|uncle|aunt|mother|father")
        return f"{name} (and {her} {other}) {self.pick('went to the|came from the|waited at the')} {self.pick(PLACES)}."

    def agree(self):
        form = self.rand.randrange(3)
        many = self.chance(0.5)
        other_many = self.chance(0.5)
        if form == 0:
            head, other = self.rand.sample(OBJECTS, 2)
            link = self.pick("near|beside|behind|under|next to")
        else:
            head, other = self.rand.sample(PEOPLE, 2)
            link = self.pick("near|behind|with|beside|next to")
        other = plural(other) if other_many else other
        head = plural(head) if many else head
        be = self.pick("are|were" if many else "is|was")
        if form == 0:
            end = self.pick("on the table|on the floor|in the box|old|new|broken|red|lost|mine|very small")
        else:
            end = self.pick("tall|happy|tired|young|late|here|very kind|in the garden|from London|my friends"
                            if many else "tall|happy|tired|young|late|here|very kind|in the garden|from London|my friend")
        if form == 2:
            verb = self.pick("live|work|play|sing|wait|sleep" if many else "lives|works|plays|sings|waits|sleeps")
            return f"The {head} {link} the {other} {verb} {self.pick('in the city|every day|at home|here|in the garden')}."
        return f"The {head} {link} the {other} {be} {end}."

    def date(self):
        name = self.pick(self.cast)[0]
        form = self.rand.randrange(4)
        if form == 0:
            return f"On {self.pick(DAYS)}, {self.rand.randrange(1, 29)} {self.pick(MONTHS)}, {name} went to the {self.pick(PLACES)}."
        if form == 1:
            day = self.rand.randrange(7)
            return f"Today is {DAYS[day]} and tomorrow is {DAYS[(day + 1) % 7]}."
        if form == 2:
            return f"The {self.pick('train|bus|lesson|film|boat')} {self.pick('leaves|starts|begins')} at {self.rand.randrange(1, 13)} o'clock."
        return f"{name} was born in {self.rand.randrange(1950, 2020)} and is {self.rand.randrange(5, 70)} years old."

    def sum(self):
        a, b = self.rand.randrange(1, 7), self.rand.randrange(1, 7)
        return f"{capital(NUMBERS[a])} and {NUMBERS[b]} is {NUMBERS[a + b]}." if a + b <= 12 else self.counting()

    def weather(self):
        form = self.rand.randrange(5)
        if form == 0:
            return self.pick("It rained all day, and|It rained in the night, and|After the rain") + \
                self.pick(" the streets were wet.| the grass was wet.| the road was wet.| the children stayed at home.")
        if form == 1:
            return f"It is {self.pick('cold|very cold|windy|raining')} today, so {self.pick('we stay at home|the children stay inside|I put on a coat|we drink hot tea')}."
        if form == 2:
            return f"The sun is shining and the {self.pick('children|birds|dogs|boys|girls')} are {self.pick('happy|playing in the garden|outside')}."
        if form == 3:
            return f"In {self.pick(SEASONS)} the {self.pick('days are long|days are short|nights are cold|trees are green|leaves fall|flowers grow')}."
        return f"The weather was {self.pick('good|bad|cold|warm|hot|fine')}, so we {self.pick('went to the beach|stayed at home|went for a walk|played in the park')}."

    def opposite(self):
        a, b = self.pick(OPPOSITES).split()
        if self.chance(0.5):
            a, b = b, a
        return self.pick([f"The opposite of {a} is {b}.", f"It is not {a}, it is {b}.", f"This one is {a} and that one is {b}."])

    def kind(self):
        (a, x), (b, y) = (pair.split() for pair in self.rand.sample(KINDS, 2))
        name = lambda word, kind: word if word[0].isupper() or kind in ("metal", "colour", "season") else article(word)
        return f"{capital(name(a, x))} is {article(x)} and {name(b, y)} is {article(y)}."

    def fact(self):
        return self.pick(FACTS)

    def morning(self):
        name, she, her = self.pick(self.cast)
        steps = ["got up", f"washed {her} face", "ate breakfast", f"put on {her} shoes", f"went to the {self.pick(PLACES)}"]
        first = self.rand.randrange(0, 3)
        chosen = steps[first:first + 3]
        when = self.pick("In the morning|This morning|On Sunday|Early in the morning|Yesterday")
        return f"{when} {name} {chosen[0]}, {chosen[1]} and {chosen[2]}."

    def copy(self):
        name, she, her = self.pick(self.cast)
        code = "".join(self.rand.choice("ABCDEFGHKLMNPRSTUVWXYZ") + str(self.rand.randrange(10))
                       for _ in range(self.rand.randrange(1, 4)))
        words = " ".join(self.rand.sample(COLOURS + OBJECTS + list(ANIMALS), 3))
        return self.pick([f"The number of the room is {code}, so {name} looks for room {code}.",
                          f"{name} wrote {code} on the door, and we read {code} on the door.",
                          f"The secret words are {words}, and {name} says: {words}.",
                          f"Say {words} again: {words}."])

    def there(self):
        where = f"{self.pick('on|under|near|behind')} the {self.pick(FURNITURE)}"
        if self.chance(0.5):
            thing = self.pick(OBJECTS)
            return f"There is {article(thing)} {where}."
        return f"There are {self.pick('two|three|four|some|many')} {plural(self.pick(OBJECTS + list(ANIMALS)))} {where}."

    def own(self):
        name, she, her = self.pick(self.cast)
        animal = self.pick(list(ANIMALS))
        form = self.rand.randrange(4)
        if form == 0:
            return f"{name} has {article(animal)}, and {she} loves {her} {animal} very much."
        if form == 1:
            return f"{name} opened {her} {self.pick('book|bag|letter|box')} and read {her} {self.pick('story|name|letter')}."
        if form == 2:
            return f"{name} lives with {her} {self.pick('mother|father|sister|brother|friend')} in a {self.pick(LOOKS[:6])} house."
        place = self.pick(PLACES)
        return f"{name} forgot {her} {self.pick(OBJECTS)} at the {place}, so {she} went back to the {place}."

    def lost(self):
        (a, she, her), (b, he, his) = self.two()
        thing, other = self.rand.sample(OBJECTS, 2)
        verb = self.pick("lost|found|sold|broke|took|bought")
        return f"{a} {verb} {her} {thing}, and {b} {verb} {his} {other}."

    def compare(self):
        order = ["mouse", "cat", "dog", "sheep", "lion", "horse", "elephant"]
        i, j = sorted(self.rand.sample(range(len(order)), 2))
        return self.pick([f"The {order[j]} is bigger than the {order[i]}.", f"The {order[i]} is smaller than the {order[j]}."])

    def chase(self):
        a, b = self.pick(["cat mouse", "dog cat", "fox rabbit", "lion horse", "dog rabbit", "cat bird", "fox duck",
                          "boy dog", "girl cat", "bear man"]).split()
        verb = self.pick("chased|saw|followed|caught|looked at|ran after")
        end = self.pick([f"the {b} ran away", f"the {b} hid under the {self.pick(FURNITURE)}", f"the {a} was too slow",
                         f"the {b} was too fast", f"the {b} was not afraid of the {a}"])
        return f"The {a} {verb} the {b}, {self.pick('but|and')} {end}."

    def jump(self):
        a, b = self.rand.sample(LOOKS, 2)
        x, y = self.rand.sample(list(ANIMALS), 2)
        return f"The {a} {self.pick('brown |black |white |')}{x} {self.pick('jumps|jumped|runs|ran|looks|looked')} over the {b} {y}."

    def colour(self):
        thing, other = self.rand.sample(OBJECTS + ["house", "door", "car", "coat", "flower"], 2)
        a, b = self.rand.sample(COLOURS, 2)
        return self.pick([f"The {thing} is {a} and the {other} is {b}.", f"I have a {a} {thing} and a {b} {other}.",
                          f"The {a} {thing} is {self.pick('on|under|near')} the {self.pick(FURNITURE)}."])

    def together(self):
        (a, _, _), (b, _, _) = self.two()
        what = self.pick("went to the {p}|met at the {p}|played in the garden|were friends|walked home together|"
                         "sat in the {p} and talked|had a lot of fun|worked in the {p}|ate dinner together")
        extra = self.pick([".", f", and then {a} went home.", f", and then {b} went home.", ", and they were happy.", " because they were friends."])
        return f"{a} and {b} {what.format(p=self.pick(PLACES))}{extra}"

    def diary(self):
        name = self.pick(self.cast)[0]
        return self.pick([
            f"I like to {self.pick('read books|play in the garden|drink tea|sing|walk in the park|listen to music|eat cake')}.",
            f"My name is {name} and I live in a {self.pick('small house|big city|small village|quiet street')}.",
            f"Yesterday I went to the {self.pick(PLACES)} with my {self.pick('friend|mother|father|brother|sister')} {name}.",
            f"We are going to the {self.pick(PLACES)} {self.pick('tomorrow|today|this evening|next week')}.",
            f"I would like {self.pick('a cup of tea|some water|a piece of cake|to go home|to see the sea|to help you')}.",
            f"Once upon a time there was a {self.pick(LOOKS)} {self.pick(PEOPLE)} who lived in a {self.pick('castle|forest|small house|village')}.",
            f"The children {self.pick('play|are playing|played')} in the {self.pick('garden|park|street|snow')} with {self.pick('a ball|the dog|their friends')}.",
            f"Do you want to {self.pick('go to the ' + self.pick(PLACES) + '|play with me|drink some tea|come with us')}?",
            "Thank you very much for your " + self.pick("help.|letter.|time.|present."),
        ])

    def named(self):
        name = self.pick(["Rex", "Bella", "Milo", "Coco", "Oscar", "Ruby", "Toby", "Daisy"])
        animal = self.pick(list(ANIMALS))
        return f"The name of the {animal} is {name}, and {name} is a {self.pick(LOOKS)} {animal}."


class Relations(Everyday):
    """Mostly sentences in which a word is decided by one that stands farther off."""

    def __init__(self, seed):
        super().__init__(seed)
        self.kinds = [
            (self.agree, 5), (self.because_animal, 2), (self.because_thing, 1), (self.own, 2), (self.give, 4),
            (self.lost, 2), (self.chase, 1), (self.ask, 1),
        ]


if __name__ == "__main__":
    print("\n".join(Everyday(1).stories(6000)))
