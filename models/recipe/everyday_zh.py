# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""A generator of everyday Chinese sentences, the sister of everyday.py.

Old poems know the moon and the frontier, but not cats, shops and rain. Each function below writes
one kind of sentence; many can be continued correctly only by looking back at one earlier place:

  because   小猫趴在垫子上，因为它累了。            它/他/她 follow who is spoken of
  give      小明和小红去了商店，小明把水给了小红。  the other name
  measure   一只猫、一条鱼、一本书                  the measure word and the noun choose each other
  not_but   这不是猫，而是狗。                      the second half has the form of the first
  quote     “”, 「」, 《》 and （） that were opened are closed
  copy      a code word that was said is said again

How they become stories, and which are held out: stories.py.
"""

from stories import Stories

WOMEN = (
    "小红 小兰 小丽 小芳 小美 小玉 小梅 小雪 小燕 小云 丽丽 芳芳 婷婷 玲玲 安娜 玛丽 "
    "王芳 李娜 张丽 刘英 陈静 赵敏 周兰 孙梅"
).split()
MEN = (
    "小明 小刚 小强 小华 小军 小龙 小东 小勇 小亮 小宝 大伟 大山 汤姆 约翰 "
    "王强 李军 张伟 刘洋 陈杰 赵磊 周涛 孙浩 小林 小海"
).split()
MOTHERS = "妈妈 奶奶 姐姐 妹妹 阿姨 外婆".split()
FATHERS = "爸爸 爷爷 哥哥 弟弟 叔叔 外公".split()

# animal: (measure word, how and where it rests, what it eats)
ANIMALS = {
    "猫": ("只", "趴在|睡在|坐在|躺在", "垫子上|沙发上|床上|椅子上|窗台上|屋顶上|桌子下面", "鱼"),
    "小猫": ("只", "趴在|睡在|坐在|躺在", "垫子上|沙发上|床上|地毯上|窗台上|我的脚边", "鱼"),
    "狗": ("条", "趴在|睡在|坐在|躺在", "门口|地板上|沙发旁边|草地上|院子里", "骨头"),
    "小狗": ("只", "趴在|睡在|坐在|躺在", "门口|地板上|地毯上|草地上|沙发旁边", "骨头"),
    "马": ("匹", "站在|停在", "草地上|树下|河边|路边", "草"),
    "牛": ("头", "站在|躺在", "草地上|树下|河边|田里", "草"),
    "羊": ("只", "站在|躺在", "草地上|山坡上|树下|河边", "草"),
    "猪": ("头", "躺在|睡在", "院子里|泥里|墙边", "白菜"),
    "兔子": ("只", "蹲在|躲在|睡在", "草地上|洞里|树下|笼子里", "胡萝卜"),
    "鸡": ("只", "站在|蹲在", "院子里|墙上|树下", "米"),
    "鸭子": ("只", "站在|睡在|蹲在", "河边|草地上|岸上", "小鱼"),
    "小鸟": ("只", "停在|站在|落在", "树上|屋顶上|窗台上|电线上", "虫子"),
    "老虎": ("只", "躺在|趴在|睡在", "山洞里|大树下|石头上|草地上", "肉"),
    "狮子": ("头", "躺在|趴在|睡在", "大树下|石头上|草地上", "肉"),
    "大象": ("头", "站在|躺在", "河边|树下|水里", "香蕉"),
    "猴子": ("只", "坐在|蹲在", "树上|石头上|山上|墙上", "桃子"),
    "熊猫": ("只", "坐在|躺在|趴在", "草地上|树上|竹林里|石头上", "竹子"),
    "狐狸": ("只", "躲在|蹲在|睡在", "洞里|树后面|草地上|雪地里", "鸡"),
    "老鼠": ("只", "躲在|蹲在", "洞里|墙角|桌子下面|床下面", "大米"),
    "青蛙": ("只", "蹲在|坐在", "荷叶上|石头上|池塘边|草地上", "虫子"),
    "乌龟": ("只", "趴在|睡在", "石头上|水里|沙滩上|池塘边", "小虾"),
    "松鼠": ("只", "坐在|蹲在|躲在", "树上|树洞里|树枝上", "松子"),
    "熊": ("头", "坐在|睡在|躺在", "山洞里|雪地里|大树下", "蜂蜜"),
}
OTHER_ANIMALS = {"鱼": "条", "蛇": "条", "蝴蝶": "只", "蜜蜂": "只", "鹅": "只", "鹿": "只", "驴": "头", "燕子": "只"}
# feeling: what an animal then does
ANIMAL_FEELS = {
    "饿了": "到处找东西吃|一直在叫|跑到了厨房里|不想玩了|看着桌子上的饭",
    "累了": "很快就睡着了|不想动了|闭上了眼睛|慢慢地走|不想跑了",
    "渴了": "去河边喝水|在找水喝|喝了很多水",
    "困了": "很快就睡着了|闭上了眼睛|不想玩了",
    "害怕": "跑得很快|躲了起来|不敢出来|一直在发抖",
    "很冷": "躲在屋子里|不想出去|一直在发抖",
    "生病了": "不想吃东西|一直躺着|没有力气",
    "很高兴": "跳来跳去|跑来跑去|一直在叫",
}
RESTS_WHY = "累了|困了|老了|生病了|吃饱了|不想动|很困|很累|想休息"

# thing: (measure word, what is said of it: why)
THINGS = {
    "杯子": ("个", {"碎了": "被猫碰到了|从桌子上掉了下来", "不能用了": "碎了|破了"}),
    "碗": ("个", {"碎了": "掉在地上了|没有放好", "掉在地上了": "太滑了|太烫了|没有放好"}),
    "盘子": ("个", {"碎了": "掉在地上了|没有放好", "要洗一洗": "脏了|有很多油"}),
    "椅子": ("把", {"不能坐了": "坏了|少了一条腿", "被扔掉了": "太旧了|坏了"}),
    "雨伞": ("把", {"不能用了": "坏了|被风吹坏了", "放在门口": "还是湿的|没有干"}),
    "门": ("扇", {"打不开": "锁住了|坏了", "关不上": "坏了|太旧了"}),
    "窗户": ("扇", {"打不开": "坏了|生锈了", "关不上": "坏了|太旧了"}),
    "汽车": ("辆", {"开不动了": "没有油了|坏了|太旧了", "停在路边": "没有油了|坏了"}),
    "自行车": ("辆", {"不能骑了": "坏了|没有气了", "卖不出去": "太旧了|太贵了"}),
    "电脑": ("台", {"不能用了": "坏了|太旧了", "开不了机": "没有电了|坏了"}),
    "手机": ("部", {"不能用了": "坏了|没有电了|掉进水里了", "很受欢迎": "又便宜又好用|很漂亮"}),
    "闹钟": ("个", {"没有响": "坏了|没有电了", "停了": "没有电了|坏了"}),
    "箱子": ("个", {"搬不动": "太重了|装满了书", "打不开": "锁住了|坏了", "关不上": "太满了|装了太多衣服"}),
    "书包": ("个", {"很重": "装满了书|里面有很多东西", "破了": "太旧了|用了很多年"}),
    "衣服": ("件", {"不能穿了": "太小了|破了", "还没有干": "刚刚洗过", "要洗一洗": "脏了"}),
    "裤子": ("条", {"不能穿了": "太短了|破了", "要洗一洗": "脏了"}),
    "裙子": ("条", {"卖得很好": "很漂亮|颜色很好看", "很贵": "是新的|很漂亮"}),
    "鞋子": ("双", {"不能穿了": "太小了|湿了|破了", "卖得很好": "很好看|很舒服"}),
    "帽子": ("顶", {"被风吹走了": "太轻了|太大了", "卖得很好": "很好看|很便宜"}),
    "面包": ("块", {"不能吃了": "太硬了|放了很久", "很快就吃完了": "很香|很好吃"}),
    "蛋糕": ("块", {"很快就吃完了": "很甜|很好吃", "很受欢迎": "很好吃|是新做的"}),
    "牛奶": ("杯", {"不能喝了": "坏了|放了很久", "很快就喝完了": "很好喝|又香又甜"}),
    "汤": ("碗", {"不好喝": "太咸了|凉了", "很好喝": "是妈妈做的", "还不能喝": "太烫了"}),
    "船": ("条", {"沉了": "坏了|太旧了", "停在岸边": "坏了|没有油了"}),
    "树": ("棵", {"倒了": "太老了|被大风吹了一夜", "没有叶子了": "生病了|太老了"}),
    "房子": ("座", {"没有人住": "太旧了|太小了", "卖不出去": "太旧了|离城市很远", "很贵": "又大又漂亮"}),
    "桥": ("座", {"不能走了": "坏了|被水冲坏了", "要修一修": "太旧了"}),
    "路": ("条", {"很难走": "太窄了|结冰了|太黑了", "没有人走": "太远了|太黑了"}),
    "书": ("本", {"卖得很好": "很有意思", "没有人看": "太难了|没有意思"}),
    "电影": ("部", {"很受欢迎": "很有意思|很感人", "没有人看": "太长了|没有意思"}),
    "歌": ("首", {"很受欢迎": "很好听", "很多人会唱": "很简单|很好听"}),
    "花": ("朵", {"死了": "没有水了", "开得很好": "每天都有阳光|每天都浇水"}),
}
# measure word: nouns that take it
MEASURES = {
    "个": "苹果 西瓜 梨 橘子 桃子 鸡蛋 杯子 碗 盘子 箱子 书包 球 篮球 足球 气球 玩具 娃娃 盒子 瓶子 面包 包子 馒头",
    "本": "书 词典 故事书 画册 日记 小说 课本 杂志 本子",
    "支": "笔 铅笔 钢笔 毛笔 粉笔",
    "张": "桌子 床 纸 地图 照片 车票 画 报纸 邮票 卡片 沙发",
    "把": "椅子 雨伞 钥匙 刀 剪刀 尺子 扇子 吉他 小提琴 勺子 锁",
    "件": "衣服 毛衣 大衣 衬衫 礼物 外套 雨衣",
    "条": "裤子 裙子 毛巾 围巾 鱼 蛇 河 路 船 小溪 领带",
    "双": "鞋子 袜子 筷子 手套 皮鞋 布鞋",
    "顶": "帽子 草帽 帐篷",
    "辆": "汽车 自行车 公共汽车 卡车 摩托车 出租车",
    "台": "电脑 电视 洗衣机 冰箱 机器",
    "块": "石头 糖 蛋糕 手表 肥皂 木头 玉 豆腐 布",
    "杯": "茶 水 牛奶 咖啡 果汁 酒 热水",
    "碗": "米饭 面条 汤 粥 饺子 馄饨",
    "瓶": "水 酒 油 醋 牛奶 酱油 啤酒",
    "棵": "树 松树 柳树 白菜 苹果树 小草 桃树",
    "朵": "花 玫瑰 荷花 白云 菊花 梅花",
    "座": "山 桥 房子 城市 塔 楼 大山 寺庙 岛",
    "只": "猫 小狗 羊 鸡 鸭子 小鸟 兔子 老虎 猴子 熊猫 青蛙 乌龟 蝴蝶 蜜蜂 鹅 手 耳朵",
    "匹": "马 白马 黑马",
    "头": "牛 猪 大象 狮子 驴",
    "首": "歌 诗 古诗 儿歌 曲子",
    "封": "信 邮件 家信",
    "盏": "灯 台灯 油灯",
    "场": "雨 雪 电影 比赛 大雨 大雪",
    "家": "商店 饭馆 医院 银行 公司 书店 茶馆",
    "位": "老师 医生 客人 老人 朋友 诗人 画家",
    "名": "学生 工人 司机 警察 护士 记者 演员",
    "根": "绳子 香蕉 黄瓜 针 线 蜡烛 木棍",
    "架": "飞机 钢琴 相机",
}
NOUNS = {noun: word for word, nouns in MEASURES.items() for noun in nouns.split()}
NOT_BOUGHT = "鱼 蛇 河 路 船 小溪 石头 木头".split()
NOT_PUT = "桌子 床 沙发 椅子".split()
# place: what can be there
WHERE = {
    "桌子上": "苹果 杯子 碗 盘子 盒子 面包 书 词典 铅笔 钢笔 毛笔 地图 照片 报纸 钥匙 剪刀 尺子 茶 咖啡 牛奶 米饭 面条 汤 水 酒 台灯 礼物 糖 蛋糕 手表 电脑 信",
    "椅子上": "大衣 毛衣 帽子 书 书包 围巾 外套",
    "床上": "衣服 毛衣 书 裤子 娃娃 小说 毛巾",
    "书架上": "书 词典 故事书 画册 小说 杂志 照片",
    "厨房里": "鸡蛋 西瓜 白菜 鱼 刀 勺子 碗 盘子 豆腐 黄瓜 醋 酱油 油",
    "柜子里": "衣服 毛衣 大衣 衬衫 裤子 裙子 围巾 帽子 鞋子 手套 雨衣 毛巾",
    "路上": "汽车 自行车 公共汽车 卡车 摩托车 出租车",
    "山上": "松树 塔 寺庙 羊 猴子 房子 桃树",
    "公园里": "树 柳树 松树 花 玫瑰 桥 塔 小鸟 老人",
    "院子里": "苹果树 柳树 桃树 鸡 鸭子 羊 小狗 猫 牛 自行车 花 白菜",
    "门口": "鞋子 自行车 汽车 雨伞 箱子 小狗",
    "街上": "商店 饭馆 银行 书店 茶馆 医院 公共汽车 警察",
    "教室里": "学生 老师 电脑 桌子 椅子 地图",
    "河里": "鱼 船 鸭子 鹅",
    "天上": "白云 小鸟 飞机 气球",
    "树上": "小鸟 苹果 梨 桃子 猴子 橘子",
}
PLACES = (
    "学校 商店 公园 车站 图书馆 花园 海边 博物馆 饭馆 办公室 厨房 农场 银行 医院 市场 电影院 "
    "书店 动物园 操场 邮局 机场 超市 教室 山上 河边"
).split()
FUN_PLACES = "公园 花园 海边 动物园 农场 电影院 河边 山上 博物馆 书店 图书馆".split()
FURNITURE = "桌子 椅子 床 书架 沙发 箱子 柜子 冰箱 钢琴".split()
FOODS = (
    "苹果 梨 香蕉 西瓜 橘子 葡萄 桃子 草莓 面包 鸡蛋 米饭 面条 饺子 包子 馒头 鱼 牛肉 羊肉 鸡肉 "
    "豆腐 白菜 土豆 西红柿 黄瓜 胡萝卜 蛋糕 饼干 花生 玉米"
).split()
GOODS = FOODS + "茶叶 糖 盐 油 醋 果汁 咖啡 牛奶".split()
GIFTS = (
    "一本书 一支笔 一朵花 一封信 一个球 一个苹果 一杯水 一杯茶 一块蛋糕 一张照片 一把雨伞 一顶帽子 "
    "一件礼物 一张电影票 一条围巾 一把钥匙 一张地图 一个面包"
).split()
THING_TO_GIVE = "水 书 笔 信 钥匙 雨伞 地图 照片 球 苹果 面包 牛奶 词典 帽子 票 花 茶 钱 手机 礼物".split()
OBJECTS = "钥匙 书 杯子 球 笔 帽子 书包 盒子 信 台灯 刀 勺子 瓶子 地图 手表 鞋子 盘子 雨伞 手机 钱包 词典 眼镜".split()
PEOPLE = "老师 医生 学生 工人 农民 司机 护士 警察 画家 厨师 歌手 记者 作家 演员 商人 科学家 律师 诗人".split()
JOBS = {
    "老师": "学校|教书", "医生": "医院|给病人看病", "护士": "医院|照顾病人", "农民": "田里|种地",
    "工人": "工厂|做工", "厨师": "饭馆|做菜", "司机": "路上|开车", "警察": "街上|指挥交通",
    "画家": "家里|画画", "作家": "家里|写书", "演员": "剧院|演戏", "科学家": "研究所|做实验",
}
COLOURS = "红色 蓝色 绿色 黄色 白色 黑色 灰色 粉色 紫色 橙色".split()
DAYS = "星期一 星期二 星期三 星期四 星期五 星期六 星期日".split()
NUMBERS = "零一二三四五六七八九十"
MONTHS = "一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月".split()
CITIES = "北京 上海 广州 西安 南京 杭州 成都 武汉 天津 重庆 苏州 青岛".split()
TRANSPORT = "坐火车 坐飞机 开车 坐公共汽车 坐船 骑自行车 坐地铁".split()
SUBJECTS = "语文 数学 英语 历史 音乐 美术 科学 体育 地理".split()
HOBBIES = (
    "画画 唱歌 跳舞 看书 游泳 跑步 下棋 踢足球 打篮球 听音乐 看电影 写字 爬山 钓鱼 做饭 旅行 弹钢琴 "
    "种花 拍照 写诗 喝茶 骑马"
).split()
# what a person did: why
DID_WHY = {
    "很早就睡了": "太累了|很困|生病了", "坐了下来": "太累了|走了很远的路", "没有出门": "生病了|发烧了|要等一个人",
    "吃了两碗饭": "太饿了|没有吃早饭", "喝了很多水": "太渴了|刚刚跑完步", "泡了一杯热茶": "有点儿冷|想休息一下",
    "关上了窗户": "觉得冷|外面下雨了|外面太吵了", "打开了窗户": "觉得热|想看看外面", "穿上了大衣": "觉得冷|要出门",
    "给朋友打了电话": "很想他们|有一个好消息", "唱起了歌": "很高兴|心情很好", "哭了": "很难过|丢了心爱的东西|摔了一跤",
    "跑回家了": "忘了带书|怕迟到|下雨了", "笑了": "听到了好消息|很高兴", "去了医院": "生病了|头疼|牙疼",
    "迟到了": "起晚了|没有赶上车|走错了路", "没有说话": "很生气|不知道说什么|很难过", "带了一把伞": "怕下雨|听说要下雨",
    "去了图书馆": "想看书|要借书", "去了银行": "没有钱了|要取钱", "打开了灯": "天黑了|看不清楚",
    "笑得很开心": "收到了礼物|见到了老朋友", "摔倒了": "走得太快|没有看路", "不想出门": "外面太冷|有点儿累",
    "买了一个蛋糕": "今天过生日|喜欢吃甜的", "学得很好": "很努力|每天都练习",
}
OPPOSITES = (
    "大小 高低 多少 长短 快慢 冷热 黑白 好坏 新旧 远近 早晚 上下 左右 前后 里外 轻重 胖瘦 开关 来去 买卖 "
    "哭笑 真假 老少 深浅 粗细 强弱 甜苦 干湿 软硬 天地"
).split()
LONG_OPPOSITES = "高兴难过 干净肮脏 容易困难 安全危险 便宜昂贵 安静吵闹 成功失败 开始结束 聪明愚笨 勤劳懒惰".split()
KINDS = {
    "水果": "苹果 香蕉 葡萄 西瓜 桃子 草莓 梨 橘子", "蔬菜": "白菜 土豆 黄瓜 西红柿 胡萝卜 菠菜", "动物": "猫 狗 马 牛 羊 老虎 大象 猴子",
    "颜色": "红色 蓝色 绿色 黄色", "城市": "北京 上海 广州 西安", "国家": "中国 法国 英国 日本 美国 德国 俄国 意大利",
    "乐器": "钢琴 吉他 小提琴 笛子 琵琶", "运动": "足球 篮球 跑步 游泳", "季节": "春天 夏天 秋天 冬天", "花": "玫瑰 荷花 菊花 梅花",
}
KIND_MEASURE = {
    "水果": "一种水果", "蔬菜": "一种蔬菜", "动物": "一种动物", "颜色": "一种颜色", "城市": "一座城市",
    "国家": "一个国家", "乐器": "一种乐器", "运动": "一种运动", "季节": "一个季节", "花": "一种花",
}
FACTS = (
    "太阳从东边升起，从西边落下。|天是蓝的，草是绿的。|雪是白的，也是冷的。|鱼生活在水里。|鸟有翅膀，会飞。|一天有二十四个小时。|"
    "一个星期有七天。|一年有十二个月。|一年有四个季节：春、夏、秋、冬。|蜜蜂会采蜜。|牛吃草，人喝牛奶。|月亮在晚上出来。|"
    "火是热的，冰是冷的。|植物需要水和阳光。|北京是中国的首都。|巴黎是法国的首都。|伦敦是英国的首都。|东京是日本的首都。|"
    "柏林是德国的首都。|罗马是意大利的首都。|莫斯科是俄罗斯的首都。|长江是中国最长的河。|泰山是中国有名的山。|李白是唐代的诗人。|杜甫是唐代的诗人。|"
    "王维是唐代的诗人，也是画家。|苏轼是宋代的诗人。|陆游是宋代的诗人。|熊猫喜欢吃竹子。|柠檬是酸的，蜂蜜是甜的。|大象是最大的陆地动物。|"
    "人有两只眼睛、一个鼻子和一张嘴。|人有两只手、十个手指。|地球绕着太阳转，月亮绕着地球转。|水到零度就会结冰。|一米有一百厘米。|"
    "中秋节人们吃月饼、看月亮。|春节的时候，孩子们放鞭炮、穿新衣服。|端午节人们吃粽子、赛龙舟。|清明节人们去扫墓。|汉字有几千年的历史。"
).split("|")
PROVERBS = (
    "有志者，事竟成。|失败是成功之母。|路遥知马力，日久见人心。|千里之行，始于足下。|三人行，必有我师。|温故而知新。|学而时习之，不亦说乎？|"
    "己所不欲，勿施于人。|百闻不如一见。|熟能生巧。|一年之计在于春，一日之计在于晨。|近朱者赤，近墨者黑。|不到长城非好汉。|"
    "饭后百步走，活到九十九。|早睡早起身体好。|种瓜得瓜，种豆得豆。|远亲不如近邻。|一寸光阴一寸金，寸金难买寸光阴。|"
    "书山有路勤为径，学海无涯苦作舟。|少壮不努力，老大徒伤悲。|读书破万卷，下笔如有神。|海内存知己，天涯若比邻。"
).split("|")
CHAT = (
    "今天天气怎么样？|今天天气很好，我们去公园吧。|你好，很高兴认识你。|我爱我的家。|我是中国人，我说汉语。|他是英国人，他说英语。|我爱吃中国菜。|"
    "祝大家新年快乐，身体健康！|时间过得真快。|请大家安静一下。|请不要在这里抽烟。|欢迎你到我们学校来。|祝你一路平安。|人工智能正在改变世界。|"
    "电脑能帮我们做很多事情。|注意力是模型的眼睛。|机器可以翻译文章。|这句话是什么意思？|这个词用英语怎么说？|请在这里写下你的名字。|"
    "我们应该保护环境、节约用水。|吃水果对身体好。|多喝水，少喝酒。|运动对健康有好处。|不要相信陌生人的话。|过马路的时候要注意安全。|红灯停，绿灯行。|"
    "他的话让我非常感动。|她的声音很好听。|这件事情跟我没有关系。|这是一个美丽的秋天。|生活就像一面镜子。|知识就是力量。|时间就是金钱。|友谊是一本书。|"
    "孩子是父母的希望。|经济发展得很快。|城市里的高楼越来越多。|互联网让世界变小了。|我们公司有三百个员工。|会议在明天下午两点举行。|他在大学学习法律。|"
    "她毕业以后想当翻译。|请把护照和机票给我看一下。|我要一个单人房间。|服务员，请给我菜单。|这双鞋打八折。|你的普通话说得真标准。|祖国的山河非常美丽。|"
    "长城是世界上有名的建筑。|黄河是中国第二长的河。|我在火车上认识了一位新朋友。|邻居家的孩子考上了大学。|报纸上说明天有大雨。|药要按时吃。|"
    "感冒了要多休息。|医生让他少吃盐。|银行九点开门。|请问洗手间在哪里？|我想换一点儿钱。|飞机马上就要起飞了。|月亮像一个大圆盘。|雪花像羽毛一样落下来。|"
    "小河静静地流着。|风轻轻地吹着树叶。|夜里的城市灯火通明。|老人慢慢地走过小桥。|鸟儿在枝头歌唱。|孩子们的笑声传得很远。|妈妈的手又温暖又柔软。|"
    "我永远不会忘记那一天。|梦想总是要有的。|失去的时间找不回来。|眼睛是心灵的窗户。|每个人都有自己的故事。|办法总比困难多。|我同意你的看法。|我觉得这样比较合适。|"
    "其实他什么都知道。|他突然停了下来。|终于等到这一天了！|难道你不知道吗？|多么美的风景啊！|让我们一起努力吧！|真是太好了！|怎么办呢？|为什么天空是蓝色的？|"
    "谁能告诉我答案？|哪一个是你的？|你觉得怎么样？|别忘了带上你的身份证。"
).split("|")
TALK = (
    "我累了|我饿了|太晚了|外面很冷|我想回家|我的钥匙丢了|火车晚点了|饭做好了|我喜欢你的帽子|我们该走了|下雨了|我明天来|我不知道|"
    "汤太烫了|我叫{n}|我看见大海了|我今天很高兴|你可以坐在这里|这是我的家|我来帮你|没有牛奶了|商店关门了|我有一个好主意|对不起，我来晚了|"
    "谢谢你的帮助|我们一起去吧|请给我一杯水|我还没有吃饭|明天见|我听不懂|请你再说一遍|今天的天气真好|这个菜真好吃|我会说一点儿汉语|"
    "祝你生日快乐|别着急，慢慢来|你说得对|我找到了|我忘了带书|请进，请坐|没关系|不客气|早上好|晚安|你真聪明"
).split("|")
QUESTIONS = (
    "你的{o}在哪儿|你看见我的{o}了吗|这是你的{o}吗|现在几点了|你好吗|你住在哪儿|你是谁|你累了吗|你叫什么名字|你想喝茶吗|你能帮我吗|"
    "谁拿走了我的{o}|你为什么不高兴|饭做好了吗|你今年多大|你要去哪儿|这个{o}多少钱|明天会下雨吗|你会游泳吗|你喜欢吃什么|车站怎么走|你吃饭了吗|"
    "今天星期几|你喜欢这个城市吗|我们什么时候出发"
).split("|")
CODE_LETTERS = "ABCDEFGHKLMNPRSTUVWXYZ"
SCALE = "老鼠 松鼠 猫 狗 羊 老虎 马 大象".split()


def counted(n, measure):
    """2 is 两 before a measure word."""
    return ("两" if n == 2 else number(n)) + measure


def number(n):
    """1 to 99 in characters."""
    tens, ones = divmod(n, 10)
    if not tens:
        return NUMBERS[ones]
    return ("" if tens == 1 else NUMBERS[tens]) + "十" + (NUMBERS[ones] if ones else "")


def listed(items, last="和"):
    return "、".join(items[:-1]) + last + items[-1]


class EverydayChinese(Stories):
    between = ""

    def __init__(self, seed):
        super().__init__(seed)
        self.kinds = [
            (self.because_animal, 6), (self.because_thing, 3), (self.because_person, 5), (self.give, 7),
            (self.shopping, 4), (self.counting, 2), (self.quote, 5), (self.ask, 4), (self.title, 2), (self.bracket, 3),
            (self.measure, 6), (self.not_but, 5), (self.parallel, 6), (self.date, 3), (self.sum, 2), (self.weather, 4),
            (self.opposite, 2), (self.kind, 1), (self.fact, 1), (self.proverb, 1), (self.chat, 2), (self.morning, 2), (self.copy, 3),
            (self.character, 1), (self.there, 3), (self.own, 3), (self.lost, 2), (self.compare, 3), (self.chase, 3),
            (self.ba_bei, 3), (self.colour, 2), (self.together, 3), (self.diary, 4), (self.linked, 4), (self.price, 1),
            (self.travel, 2), (self.job, 1), (self.named, 1), (self.school, 2), (self.doing, 3), (self.home, 2),
        ]

    def two_of(self, choices):
        return self.rand.sample(choices, 2)

    def new_cast(self):
        """Three people, each with the pronoun; two animals; a way to write quotation marks."""
        names = [(n, "她") for n in WOMEN] + [(n, "他") for n in MEN]
        family = [(n, "她") for n in MOTHERS] + [(n, "他") for n in FATHERS]
        self.cast = self.rand.sample(names, 2) + [self.pick(family)]
        self.pets = self.rand.sample(list(ANIMALS), 2)
        self.marks = "「」" if self.chance(0.2) else "“”"

    def said(self, text):
        return self.marks[0] + text + self.marks[1]

    def person(self):
        return self.pick(self.cast)

    def two(self):
        return self.rand.sample(self.cast, 2)

    def child(self):
        """One with a name, not an uncle."""
        return self.pick(self.cast[:2])

    def animal(self):
        return self.pick(self.pets) if self.chance(0.6) else self.pick(list(ANIMALS))

    # One function for each kind of sentence

    def because_animal(self):
        name = self.animal()
        measure, rests, places, _ = ANIMALS[name]
        where = self.pick(rests) + self.pick(places)
        form = self.rand.randrange(6)
        if form == 0:
            feeling = self.pick(list(ANIMAL_FEELS))
            return f"{name}{feeling}，所以它{self.pick(ANIMAL_FEELS[feeling])}。"
        if form == 1:
            feeling = self.pick(list(ANIMAL_FEELS))
            return f"因为{name}{feeling}，所以它{self.pick(ANIMAL_FEELS[feeling])}。"
        if form == 2:
            many = self.pick(["两", "三", "几", "四"]) + measure + name
            return f"{many}{where}，因为它们{self.pick(RESTS_WHY)}。"
        if form == 3:
            return f"那{measure}{name}{where}，因为它{self.pick(RESTS_WHY)}。"
        if form == 4:
            return f"一{measure}{name}{where}，它{self.pick('睡着了|在休息|一动也不动|在看我们|什么也不怕')}。"
        return f"{name}{where}，因为它{self.pick(RESTS_WHY)}。"

    def because_thing(self):
        thing = self.pick(list(THINGS))
        measure, reasons = THINGS[thing]
        what = self.pick(list(reasons))
        why = self.pick(reasons[what])
        form = self.rand.randrange(3)
        if form == 0:
            return f"这{measure}{thing}{what}，因为它{why}。"
        if form == 1:
            return f"那{measure}{thing}{why}，所以{what}。"
        return f"因为{thing}{why}，所以{what}。"

    def because_person(self):
        name, she = self.person()
        did = self.pick(list(DID_WHY))
        why = self.pick(DID_WHY[did])
        form = self.rand.randrange(4)
        if form == 0:
            return f"{name}{why}，所以{she}{did}。"
        if form == 1:
            return f"因为{name}{why}，所以{she}{did}。"
        if form == 2:
            return f"{self.pick('昨天|今天|昨天晚上|今天早上')}{name}{did}，因为{she}{why}。"
        return f"{name}{did}，因为{she}{why}。"

    def give(self):
        (a, _), (b, _) = self.two()
        giver, taker = (a, b) if self.chance(0.5) else (b, a)
        place = self.pick(PLACES)
        went = self.pick([f"去了{place}", f"来到{place}", f"到了{place}", f"在{place}见面", f"一起去{place}"])
        if self.chance(0.6):
            gave = f"把{self.pick(THING_TO_GIVE)}{self.pick('给了|给了|交给了|递给了|还给了|送给了')}"
            return f"{a}和{b}{went}，{giver}{gave}{taker}。"
        gift = self.pick(GIFTS)
        if self.chance(0.5):
            return f"{a}和{b}{went}，{giver}{self.pick('给了|送给|递给')}{taker}{gift}。"
        return f"{a}和{b}{went}，{giver}{self.pick('拿出|买了|带来')}{gift}，送给了{taker}。"

    def shopping(self):
        name, she = self.person()
        form = self.rand.randrange(6)
        foods = self.rand.sample(GOODS if form < 2 else FOODS, self.rand.randrange(2, 5))
        if form == 0:
            return f"{name}去{self.pick('市场|商店|超市')}买了{listed(foods)}。"
        if form == 1:
            return f"{name}要买{listed(foods)}，所以{she}去{self.pick('市场|商店|超市')}买了{listed(foods)}。"
        if form == 2:
            return f"{self.pick('早饭|午饭|晚饭')}我们吃了{listed(foods)}。"
        if form == 3:
            return f"{name}喜欢吃{listed(foods)}。"
        if form == 4:
            return f"{self.pick('桌子上|冰箱里|篮子里|盘子里')}有{listed(foods)}。"
        things = self.rand.sample("铅笔 本子 尺子 书 词典 水 帽子 雨伞 地图 钱包 手机 钥匙".split(), 3)
        return f"{name}的书包里有{listed(things)}。"

    def counting(self):
        form = self.rand.randrange(4)
        if form == 0:
            start, count = self.rand.randrange(1, 6), self.rand.randrange(3, 7)
            return "、".join(NUMBERS[start : min(start + count, 11)]) + "。"
        if form == 3:
            start, step = self.rand.randrange(1, 12), self.rand.randrange(1, 4)
            return "、".join(str(start + step * i) for i in range(5)) + "。"
        words = DAYS if form == 1 else MONTHS
        start, count = self.rand.randrange(len(words)), self.rand.randrange(3, 6)
        return "、".join(words[(start + i) % len(words)] for i in range(count)) + "。"

    def talk(self):
        return self.pick(TALK).format(n=self.cast[0][0])

    def quote(self):
        name, she = self.person()
        form = self.rand.randrange(5)
        if form == 0:
            return f"{self.said(self.talk() + '。')}{name}{self.pick('说|回答|小声说|笑着说')}。"
        if form == 1:
            other = self.pick([n for n, _ in self.cast if n != name])
            return f"{name}对{other}说：{self.said(self.talk() + '。')}"
        if form == 2:
            return f"{name}大声{self.pick('喊|说|叫')}：{self.said(self.talk() + '！')}"
        if form == 3:
            return f"{name}{self.pick('说|回答|笑着说|小声说')}：{self.said(self.talk() + '。')}"
        return f"{name}告诉我们，{she}最喜欢的词是{self.said(self.pick(HOBBIES + OBJECTS))}。"

    def ask(self):
        (a, _), (b, _) = self.two()
        thing = self.pick(OBJECTS)
        if self.chance(0.5):
            where = f"{self.pick(FURNITURE)}{self.pick('上面|下面|旁边|后面')}"
            return (
                f"{self.said(thing + '在哪儿？')}{a}问。"
                f"{self.said(f'{thing}在{where}。')}{b}{self.pick('说|回答')}。"
            )
        question = self.pick(QUESTIONS).format(o=thing)
        return f"{a}问{b}：{self.said(question + '？')}"

    def title(self):
        name, she = self.child()
        book = self.pick("西游记|红楼梦|三国演义|水浒传|唐诗三百首|成语故事|十万个为什么|伊索寓言|汉语词典")
        poem = self.pick("静夜思|登高|相思|登鹳雀楼|江雪|鹿柴|黄鹤楼|望岳|游子吟|枫桥夜泊")
        return self.pick(
            [
                f"{name}在看《{book}》。",
                f"{name}很喜欢《{book}》，{she}已经看了{counted(self.rand.randrange(2, 6), '遍')}。",
                f"我把《{book}》借给了{name}。",
                f"你看过《{book}》吗？",
                f"{name}会背《{poem}》，我也会背《{poem}》。",
                f"老师教我们读《{poem}》，{name}很快就会背了。",
            ]
        )

    def bracket(self):
        name, she = self.person()
        form = self.rand.randrange(4)
        if form == 0:
            a, b = self.two_of(PLACES[:14])
            return f"{a}（在{b}{self.pick('旁边|对面|后面|前面')}）{self.pick('今天关门|人很多|非常大|很安静|刚刚开门|离这里不远')}。"
        if form == 1:
            other = self.pick("弟弟|妹妹|朋友|同学|爸爸|妈妈")
            return f"{name}（和{she}的{other}）{self.pick('去了|来到|离开了')}{self.pick(PLACES)}。"
        if form == 2:
            name, _ = self.child()
            return f"{name}（今年{number(self.rand.randrange(6, 70))}岁）{self.pick('住在' + self.pick(CITIES) + '|喜欢' + self.pick(HOBBIES) + '|会' + self.pick(HOBBIES[:8]))}。"
        city = self.pick(CITIES)
        return f"{city}（{self.pick('我的老家|一座大城市|我出生的地方|我们要去的地方')}）{self.pick('很美|下雪了|很热闹|离这里很远')}。"

    def noun(self, measures):
        """(noun, measure word): one that takes one of these measure words."""
        noun = self.pick([n for n, m in NOUNS.items() if m in measures and n not in NOT_BOUGHT])
        return noun, NOUNS[noun]

    def thing_at(self, where):
        noun = self.pick(WHERE[where].split())
        return noun, NOUNS[noun]

    def measure(self):
        form = self.rand.randrange(6)
        n = self.rand.randrange(1, 7)
        if form == 0:
            where = self.pick(list(WHERE))
            noun, m = self.thing_at(where)
            return f"{where}有{counted(n, m)}{noun}。"
        if form == 1:
            where = self.pick("桌子上|柜子里|院子里|厨房里|书架上|床上")
            (a, x), (b, y) = self.thing_at(where), self.thing_at(where)
            if a != b:
                return f"{where}有{counted(n, x)}{a}和{counted(self.rand.randrange(1, 7), y)}{b}。"
        name, she = self.person()
        bought = "个本支把件条双顶块瓶张"
        (a, x), (b, y), (c, z) = (self.noun(bought) for _ in range(3))
        if form == 2:
            return f"{name}买了一{x}{a}、两{y}{b}和三{z}{c}。"
        if form == 3:
            return f"这{x}{a}是{name}的，那{y}{b}是我的。"
        if form == 4:
            animal = self.animal()
            m = ANIMALS[animal][0]
            return f"{name}看见{counted(n, m)}{animal}，{'它们' if n > 1 else '它'}在{self.pick('吃东西|睡觉|晒太阳|喝水')}。"
        return f"请给我{counted(n, x)}{a}。"

    def not_but(self):
        name, she = self.person()
        form = self.rand.randrange(7)
        if form == 0:
            a, b = self.two_of(list(ANIMALS))
            return f"这不是{a}，而是{b}。" if self.chance(0.5) else f"这不是一{ANIMALS[a][0]}{a}，而是一{ANIMALS[b][0]}{b}。"
        if form == 1:
            a, b = self.two_of(PEOPLE)
            return f"{name}不是{a}，而是{b}。"
        if form == 2:
            a, b = self.two_of(COLOURS)
            noun, m = self.noun("件条顶辆双")
            return f"这{m}{noun}不是{a}的，而是{b}的。"
        if form == 3:
            a, b = self.two_of(PLACES)
            return f"{name}不是去{a}，而是去{b}。"
        if form == 4:
            a, b = self.two_of(DAYS)
            return f"今天不是{a}，而是{b}。"
        if form == 5:
            a, b = self.two_of(FOODS)
            return f"{name}不喜欢吃{a}，{she}喜欢吃{b}。"
        (a, x), (b, y) = self.noun("个本支把件条双顶块瓶"), self.noun("个本支把件条双顶块瓶")
        return f"{name}要的不是{a}，而是{b}。" if a != b else self.not_but()

    def parallel(self):
        (a, she), (b, he) = self.two()
        form = self.rand.randrange(10)
        if form == 0:
            x, y = self.two_of(list(ANIMALS))
            return f"{x}喜欢吃{ANIMALS[x][3]}，{y}喜欢吃{ANIMALS[y][3]}。"
        if form == 1:
            x, y = self.two_of(HOBBIES)
            return f"{a}喜欢{x}，{b}喜欢{y}。"
        if form == 2:
            x, y, z = self.rand.sample("唱歌 跳舞 看书 下棋 聊天 跑步 画画 放风筝 踢球 喝茶 散步 拍照".split(), 3)
            return f"有的人在{x}，有的人在{y}，有的人在{z}。"
        if form == 3:
            return self.pick(
                [
                    "春天来了，花开了；秋天来了，叶子黄了。",
                    "春天种树，秋天收果。",
                    "夏天很热，冬天很冷。",
                    "白天有太阳，晚上有月亮。",
                    "天上有白云，水里有小鱼。",
                    "山上有树，树上有鸟。",
                    "大河向东流，小鸟向南飞。",
                    "春风吹，小雨下，花儿开，鸟儿叫。",
                    "天上飞着小鸟，水里游着小鱼，地上跑着小狗。",
                ]
            )
        if form == 4:
            x, y = self.two_of("唱歌 跳舞 听音乐 看电视 喝茶 看报纸 走路 吃饭 打电话 写字".split())
            return f"{a}一边{x}，一边{y}。"
        if form == 5:
            x, y = self.two_of(PLACES)
            return f"{a}去了{x}，{b}去了{y}。"
        if form == 6:
            x, y = self.two_of(PEOPLE)
            return f"{a}是{x}，{b}是{y}。"
        if form == 7:
            x, y = self.two_of(COLOURS)
            noun, m = self.noun("件条顶双")
            return f"{a}的{noun}是{x}的，{b}的{noun}是{y}的。"
        if form == 8:
            x, y = self.two_of(list(ANIMALS))
            m, n = self.pick(ANIMALS[x][1]) + self.pick(ANIMALS[x][2]), self.pick(ANIMALS[y][1]) + self.pick(ANIMALS[y][2])
            return f"{x}{m}，{y}{n}。"
        x, y = self.two_of(SUBJECTS)
        return f"{a}的{x}最好，{b}的{y}最好。"

    def date(self):
        name, she = self.person()
        form = self.rand.randrange(7)
        day = self.rand.randrange(7)
        month, date = self.pick(MONTHS), number(self.rand.randrange(1, 29))
        if form == 0:
            return f"今天是{DAYS[day]}，明天是{DAYS[(day + 1) % 7]}。"
        if form == 1:
            return f"今天是{month}{date}日，{DAYS[day]}。"
        if form == 2:
            year, age = self.rand.randrange(1950, 2019), self.rand.randrange(6, 30)
            name, _ = self.child()
            return self.pick([f"{name}是{year}年出生的。", f"{name}今年{number(age)}岁，明年{number(age + 1)}岁。"])
        if form == 3:
            hour = self.pick("早上七点|早上八点|上午九点|上午十点|中午十二点|下午两点|下午三点|下午五点|晚上七点|晚上八点")
            return self.pick(
                [
                    f"{self.pick('火车|飞机|汽车|船')}{hour}{self.pick('|半|一刻')}{self.pick('出发|到')}。",
                    f"{self.pick('电影|比赛|晚会|音乐会')}{hour}{self.pick('|半')}开始。",
                    f"现在是{hour}{self.pick('|半|一刻|十分')}。",
                ]
            )
        if form == 4:
            return f"{self.rand.randrange(2000, 2027)}年{self.rand.randrange(1, 13)}月{self.rand.randrange(1, 29)}日，{name}去了{self.pick(CITIES)}。"
        if form == 5:
            return f"{name}的生日是{month}{date}日，我的生日也是{month}{date}日。"
        return f"{DAYS[day]}{name}去{self.pick(PLACES)}，{DAYS[(day + 1) % 7]}{she}在家休息。"

    def sum(self):
        name, she = self.person()
        other = self.pick([n for n, _ in self.cast if n != name])
        a, b = self.rand.randrange(1, 10), self.rand.randrange(1, 10)
        form = self.rand.randrange(4)
        if form == 0:
            return f"{number(a)}加{number(b)}等于{number(a + b)}。"
        if form == 1:
            return f"{a}+{b}={a + b}。"
        if form == 2:
            return f"{number(a + b)}减{number(b)}等于{number(a)}。"
        noun, m = self.noun("个本支张朵块")
        return f"{name}有{counted(a, m)}{noun}，{other}给了{she}{counted(b, m)}，现在{she}有{counted(a + b, m)}{noun}。"

    def weather(self):
        form = self.rand.randrange(7)
        if form == 0:
            return self.pick("下了一天的雨，|昨天晚上下雨了，|刚刚下过雨，") + self.pick("路上都是水。|街上很湿。|草地湿了。|空气很新鲜。|院子里有很多水。")
        if form == 1:
            weather = self.pick("很冷|下雪了|下大雨了|刮大风了")
            return f"今天{weather}，所以{self.pick('我们没有出门|孩子们在家里玩|我穿上了大衣|我们在家喝热茶|公园里没有人')}。"
        if form == 2:
            return f"太阳出来了，{self.pick('雪慢慢地化了|天气暖和了|孩子们在院子里玩|小鸟在树上唱歌|我们去公园散步|妈妈把被子拿出去晒')}。"
        if form == 3:
            season, what = self.pick(
                [("春天", "花开了|草绿了|燕子回来了|天气暖和了"), ("夏天", "天气很热|我们去游泳|荷花开了|西瓜很甜"),
                 ("秋天", "叶子黄了|天气凉了|果子熟了|菊花开了"), ("冬天", "天气很冷|下雪了|河水结冰了|梅花开了")]
            )
            return f"{season}到了，{self.pick(what)}。"
        if form == 4:
            return f"{self.pick('北京|上海|西安|南京|杭州|广州')}今天{self.pick('晴天|阴天|有雨|有风|多云')}，气温{self.rand.randrange(0, 36)}度。"
        if form == 5:
            return f"{self.pick('天气好的时候|没有雨的时候|周末的时候')}，{self.cast[0][0]}喜欢{self.pick('去爬山|去散步|去河边钓鱼|在院子里看书|骑自行车')}。"
        return f"{self.pick('天黑了|月亮出来了|夜深了')}，{self.pick('星星很亮|孩子们都睡了|路上没有人了|外面很安静|家家都点上了灯')}。"

    def opposite(self):
        if self.chance(0.3):
            pair = self.pick(LONG_OPPOSITES)
            a, b = pair[:2], pair[2:]
        else:
            a, b = self.pick(OPPOSITES)
        if self.chance(0.5):
            a, b = b, a
        return self.pick(
            [
                f"{self.said(a)}的反义词是{self.said(b)}。",
                f"{self.said(a)}和{self.said(b)}是一对反义词。",
                f"不是{self.said(a)}，是{self.said(b)}。",
            ]
        )

    def kind(self):
        x, y = self.two_of(list(KINDS))
        a, b = self.pick(KINDS[x].split()), self.pick(KINDS[y].split())
        return self.pick(
            [
                f"{a}是{KIND_MEASURE[x]}，{b}是{KIND_MEASURE[y]}。",
                f"{listed(self.rand.sample(KINDS[x].split(), 3))}都是{x}。",
            ]
        )

    def fact(self):
        return self.pick(FACTS)

    def proverb(self):
        proverb = self.pick(PROVERBS)
        return self.pick([proverb, proverb, f"{self.cast[2][0]}常常说：{self.said(proverb)}"])

    def chat(self):
        return self.pick(CHAT)

    def morning(self):
        name, she = self.child()
        steps = ["起床", "洗脸", "刷牙", "吃早饭", "背上书包", f"去{self.pick('学校|公园|车站|图书馆')}"]
        first = self.rand.randrange(0, 4)
        a, b, c = steps[first : first + 3]
        form = self.rand.randrange(3)
        if form == 0:
            return f"{self.pick('早上|每天早上|今天早上')}，{name}先{a}，再{b}，然后{c}。"
        if form == 1:
            return f"{name}每天{a}、{b}、{c}。"
        return f"{name}每天{self.pick('六点|六点半|七点')}起床，{self.pick('七点半|八点')}去上学，晚上{self.pick('九点|九点半|十点')}睡觉。"

    def copy(self):
        name, she = self.person()
        form = self.rand.randrange(6)
        code = "".join(
            self.rand.choice(CODE_LETTERS) + str(self.rand.randrange(10)) for _ in range(self.rand.randrange(1, 4))
        )
        if form == 0:
            return f"房间的号码是{code}，请到{code}来。"
        if form == 1:
            return f"{name}在门上写了{code}，我们都看见了{code}。"
        digits = "".join(str(self.rand.randrange(10)) for _ in range(self.rand.randrange(4, 9)))
        if form == 2:
            return f"{name}的电话是{digits}，请打{digits}。"
        words = "".join(self.rand.sample("山水花草风云日月天地人马牛羊红绿黑白大小上下东西南北春夏秋冬金木火土石雨雪鸟鱼", self.rand.randrange(3, 7)))
        if form == 3:
            return f"暗号是{self.said(words)}，{name}说：{self.said(words + '。')}"
        if form == 4:
            return f"请跟我说：{words}。{name}说：{words}。"
        items = listed(self.rand.sample(COLOURS + OBJECTS + list(ANIMALS), 3), "、")
        return f"我说：{items}。你也说：{items}。"

    def character(self):
        """Any character: most are in no other text, so that [UNK] is known to the model, too."""
        character = chr(self.rand.randrange(0x4E00, 0x9F00))
        name, she = self.person()
        return self.pick(
            [
                f"{name}问：{self.said(character + '字怎么念？')}",
                f"老师在黑板上写了一个{self.said(character)}字。",
                f"{name}会写{self.said(character)}字，我也会写{self.said(character)}字。",
            ]
        )

    def there(self):
        thing, m = self.noun("个本支张把件顶双")
        while thing in NOT_PUT:
            thing, m = self.noun("个本支张把件顶双")
        where = f"{self.pick(FURNITURE)}{self.pick('上面|下面|旁边|后面')}"
        name, she = self.person()
        return self.pick(
            [
                f"{name}把{thing}放在{where}。",
                f"{name}的{self.pick(OBJECTS)}在{where}。",
                f"{where}{self.pick('放着|有')}一{m}{thing}。",
                f"{self.pick(PLACES[:14])}在{self.pick(PLACES[:14])}的{self.pick('东边|西边|南边|北边|旁边|对面')}。",
            ]
        )

    def own(self):
        name, she = self.person()
        animal = self.pick("猫 小猫 狗 小狗 兔子 乌龟 小鸟 马".split())
        m = ANIMALS[animal][0]
        form = self.rand.randrange(5)
        if form == 0:
            return f"{name}有一{m}{animal}，{she}很喜欢{she}的{animal}。"
        if form == 1:
            return f"{name}打开{she}的{self.pick('书|信|书包|箱子|电脑|礼物')}，{self.pick('笑了|看了很久|什么也没说|找到了一张照片')}。"
        if form == 2:
            return f"{name}和{she}的{self.pick('父母|朋友|同学|孩子')}住在{self.pick('一起|城里|乡下|海边|山下')}。"
        if form == 3:
            thing, place = self.pick(OBJECTS), self.pick(PLACES)
            return f"{name}把{thing}忘在了{place}，所以{she}又回到{place}去拿{thing}。"
        return f"{name}的{animal}很{self.pick('可爱|聪明|听话|胖|小')}，{self.pick('每天都等' + she + '回家|喜欢跟着' + she + '|最喜欢吃' + ANIMALS[animal][3])}。"

    def lost(self):
        (a, she), (b, he) = self.two()
        x, y = self.two_of(OBJECTS)
        verb = self.pick("丢了|找到了|卖了|弄坏了|拿走了|买了")
        return f"{a}{verb}{self.pick('|' + she + '的') if verb != '买了' else '新'}{x}，{b}{verb}{self.pick('|' + he + '的') if verb != '买了' else '新'}{y}。"

    def compare(self):
        i, j = sorted(self.rand.sample(range(len(SCALE)), 2))
        (a, she), (b, he) = self.two()
        form = self.rand.randrange(6)
        if form == 0:
            return f"{SCALE[j]}比{SCALE[i]}大。"
        if form == 1:
            return f"{SCALE[i]}比{SCALE[j]}小。"
        if form == 2:
            word = self.pick("高|忙|认真|努力|瘦")
            return f"{a}比{b}{word}，但是{b}比{a}{self.pick('细心|聪明|有耐心|有力气')}。"
        if form == 3:
            return f"{a}跑得{self.pick('很快|很慢')}，{b}跑得{self.pick('更快|更慢|也很快|也很慢')}。"
        if form == 4:
            hot, cold = self.pick("夏天 春天|南方 北方|中午 早上|白天 晚上|山下 山上|昨天 今天").split()
            return self.pick([f"{hot}比{cold}热，{cold}比{hot}冷。", f"{hot}比{cold}热。", f"{cold}比{hot}冷。"])
        noun, m = self.noun("件条把双本辆顶")
        return f"这{m}{noun}比那{m}{self.pick('贵|便宜|新|旧|好看|大')}。"

    def chase(self):
        a, b = self.pick("猫 老鼠|狗 猫|狐狸 兔子|狮子 羊|狗 兔子|猫 小鸟|狐狸 鸭子|老虎 鹿|小猫 蝴蝶|小狗 蝴蝶|狐狸 鸡").split()
        hides = {
            "老鼠": "钻进了洞里", "猫": "跳上了墙", "兔子": "跑进了树林", "羊": "跑远了", "小鸟": "飞走了",
            "鸭子": "跳进了水里", "鹿": "跑进了树林", "蝴蝶": "飞走了", "鸡": "飞上了墙",
        }
        form = self.rand.randrange(5)
        if form == 0:
            return f"{a}在追{b}，{b}{hides[b]}。"
        if form == 1:
            return f"{a}看见了{b}，{self.pick('马上追了上去|悄悄地走过去|一直看着它')}。"
        if form == 2:
            return f"{b}被{a}追了很久，最后{b}{hides[b]}。"
        if form == 3:
            return f"{a}跑得快，{b}跑得更快，{a}没有抓住{b}。"
        return f"{b}看见了{a}，因为害怕，它{hides[b]}。"

    def ba_bei(self):
        name, she = self.person()
        who, thing, did = self.pick(
            [
                ("小猫", "杯子 碗 盘子 花瓶", "打碎了"), ("风", "帽子 雨伞 衣服", "吹走了"), (name, "苹果 蛋糕 面包 西瓜", "吃完了"),
                (name, "窗户 门 箱子 书", "打开了"), (name, "衣服 碗 盘子 杯子", "洗干净了"), (name, "书 椅子 箱子 雨伞", "拿走了"),
                ("小狗", "鞋子 书 帽子", "咬坏了"), (name, "作业 信 报告", "写完了"), (name, "电脑 自行车 闹钟", "修好了"),
                (name, "水 牛奶 茶", "喝完了"), ("雨", "衣服 书 鞋子", "淋湿了"),
            ]
        )
        thing = self.pick(thing.split())
        form = self.rand.randrange(3)
        if form == 0:
            return f"{who}把{thing}{did}。"
        if form == 1:
            return f"{thing}被{who}{did}。"
        return f"{thing}是谁{did.rstrip('了')}的？是{who}{did.rstrip('了')}的。"

    def colour(self):
        (thing, m), (other, n) = self.noun("件条顶双"), self.noun("件条顶双")
        a, b = self.two_of(COLOURS)
        return self.pick(
            [
                f"这{m}{thing}是{a}的，那{n}{other}是{b}的。",
                f"我有一{m}{a}的{thing}和一{n}{b}的{other}。" if thing != other else f"我有一{m}{a}的{thing}。",
                f"{self.cast[0][0]}穿着{a}的{self.pick('衣服|裤子|鞋子|毛衣')}，{self.cast[1][0]}穿着{b}的{self.pick('衣服|裤子|鞋子|毛衣')}。",
                self.pick("红红的太阳，蓝蓝的天。|绿绿的草地，白白的羊。|红红的苹果，黄黄的梨。|弯弯的月亮，小小的船。|青青的山，绿绿的水。"),
            ]
        )

    def together(self):
        (a, she), (b, he) = self.two()
        they = "她们" if she == he == "她" else "他们"
        place = self.pick(FUN_PLACES)
        return self.pick(
            [
                f"{a}和{b}一起去{place}，{they}玩得很高兴。",
                f"{a}和{b}常常在一起，{they}都喜欢{self.pick(HOBBIES)}。",
                f"{a}跟{b}一起{self.pick(HOBBIES)}，然后{a}回家了。",
                f"{a}在{place}等{b}，{b}{self.pick('还没有来|很快就来了|来晚了|没有来')}。",
                f"{a}帮{b}{self.pick('做作业|搬箱子|找钥匙|买票|洗碗|拿书包')}，{b}说：{self.said('谢谢你，' + a + '。')}",
            ]
        )

    def diary(self):
        name, she = self.cast[0]
        return self.pick(
            [
                f"我喜欢{self.pick(HOBBIES)}。",
                f"我叫{name}，今年{number(self.rand.randrange(6, 40))}岁。",
                f"我的朋友叫{name}，{she}住在{self.pick(CITIES)}。",
                f"{self.pick('昨天|上个星期|去年')}我和{self.pick('朋友|妈妈|爸爸|同学')}去了{self.pick(PLACES + CITIES)}。",
                f"我们{self.pick('明天|今天晚上|下个星期|周末')}要去{self.pick(PLACES + CITIES)}。",
                f"我想{self.pick('喝一杯茶|喝水|吃蛋糕|回家|看大海|学习汉语|休息一下|买一本书')}。",
                f"从前有一{self.pick('座山|个村子|条河|座城')}，{self.pick('那里|山里|那儿')}住着一{self.pick('位老人|个孩子|只狐狸|位国王')}。",
                f"孩子们在{self.pick('院子里|公园里|操场上|草地上|海边')}{self.pick('踢球|放风筝|跑步|做游戏|捉迷藏|玩|唱歌|跳舞')}。",
                f"请问，{self.pick(PLACES[:14])}在哪儿？",
                f"你想和我一起去{self.pick(FUN_PLACES + CITIES)}吗？",
                f"谢谢你的{self.pick('帮助|信|礼物|邀请|关心')}。",
                f"这个{self.pick('地方很美|地方很安静|故事很有意思|故事很长|问题很简单|问题很重要|办法很好|句子很难')}。",
                f"{self.pick('模型|机器|电脑|学生')}正在学习{self.pick('汉语|写诗|说话|认字|下棋')}。",
            ]
        )

    def linked(self):
        name, she = self.child()
        place = self.pick(PLACES)
        bad = self.pick("下雨|下雪|刮风|很冷|很忙")
        x, y = self.two_of(FOODS)
        return self.pick(
            [
                f"如果明天{bad}，我们就{self.pick('不去' + place + '了|在家休息|在家看书|改天再去')}。",
                f"虽然{self.pick('下雨了|天黑了|很累|路很远|天气很冷')}，但是{name}还是去了{place}。",
                f"只要{self.pick('努力学习|每天练习|认真听课')}，就能{self.pick('取得好成绩|学好' + self.pick(SUBJECTS))}。",
                f"只有{self.pick('努力学习|每天练习|认真听课')}，才能{self.pick('取得好成绩|学好' + self.pick(SUBJECTS))}。",
                f"{name}不但会{self.pick(HOBBIES[:8])}，而且会{self.pick(HOBBIES[8:20])}。",
                f"{name}一{self.pick('回到家|吃完饭|下课|放学')}就{self.pick('做作业|看书|睡觉|去' + place + '|打开电脑')}。",
                f"{name}每天都{self.pick('看书|跑步|练字|练琴|学习')}，连{self.pick('星期日|下雨天|生病的时候|过年的时候')}也不休息。",
                f"除了{x}以外，{name}还喜欢吃{y}。",
                f"{name}越{self.pick('走越快|说越高兴|长越高|跑越远|想越生气')}。",
                f"无论{self.pick('天气多冷|工作多忙|路多远')}，{name}都{self.pick('坚持跑步|按时回家|每天看书|去看爷爷')}。",
                f"{name}先去{place}，然后去{self.pick([p for p in PLACES if p != place])}，最后回家。",
                f"因为{self.pick('今天是星期日|放假了')}，所以{name}{self.pick('不用上学|在家休息|没有上课')}。",
            ]
        )

    def price(self):
        name, she = self.person()
        a, n = self.rand.randrange(2, 8), self.rand.randrange(2, 5)
        food = self.pick("苹果 梨 西瓜 葡萄 桃子 牛肉 土豆 白菜 鸡蛋 饺子".split())
        noun, m = self.noun("件条双本把顶")
        return self.pick(
            [
                f"{food}{counted(a, '块')}钱一斤，{name}买了{counted(n, '斤')}，一共{number(a * n)}块钱。",
                f"这{m}{noun}{self.rand.randrange(2, 30) * 10}元，那{m}{noun}{self.rand.randrange(2, 30) * 10}元。",
            ]
        )

    def travel(self):
        name, she = self.person()
        a, b = self.two_of(CITIES)
        return self.pick(
            [
                f"{name}{self.pick(TRANSPORT[:4])}去{a}。",
                f"从{a}到{b}，{name}坐了{counted(self.rand.randrange(2, 10), '个')}小时的火车。",
                f"从家到{self.pick(PLACES[:14])}，{self.pick('走路|骑自行车|坐车')}要{number(self.rand.randrange(1, 7) * 5)}分钟。",
                f"{name}从{a}来，{she}要去{b}。",
                f"往前走，到了{self.pick(PLACES[:14])}向{self.pick('左|右')}拐，就是{self.pick(PLACES[:14])}。",
                f"{name}住在{a}，{she}的{self.pick('父母|朋友|姐姐|哥哥')}住在{b}。",
            ]
        )

    def job(self):
        job = self.pick(list(JOBS))
        where, what = JOBS[job].split("|")
        other = self.pick([j for j in JOBS if j != job])
        return self.pick(
            [
                f"{job}在{where}{what}，{other}在{JOBS[other].replace('|', '')}。",
                f"{self.cast[0][0]}长大了想当{job}，{self.cast[1][0]}长大了想当{other}。",
                f"{self.child()[0]}是一名{job}，每天在{where}{what}。",
            ]
        )

    def named(self):
        name = self.pick("豆豆 毛毛 球球 花花 点点 乐乐 黑黑 白白 圆圆 多多".split())
        animal = self.pick("猫 小猫 狗 小狗 兔子 乌龟 小鸟".split())
        m = ANIMALS[animal][0]
        return f"这{m}{animal}叫{name}，{name}是一{m}{self.pick('可爱|聪明|听话|勇敢|爱睡觉|爱干净')}的{animal}。"

    def school(self):
        name, she = self.child()
        a, b = self.two_of(SUBJECTS)
        return self.pick(
            [
                f"上午有{a}课，下午有{b}课。",
                f"{name}喜欢{a}，不喜欢{b}。",
                f"{a}老师问{name}一个问题，{name}{self.pick('很快就回答了|想了很久|不会回答|答对了')}。",
                f"下课了，{self.pick('同学们|孩子们|学生们')}都去操场{self.pick('跑步|踢球|玩|做操')}。",
                f"今天的作业是{self.pick('写一篇作文|背一首古诗|做十道数学题|抄五个生字|读一本书')}。",
                f"{name}会背{counted(self.rand.randrange(2, 30), '首')}唐诗。",
            ]
        )

    def doing(self):
        (a, she), (b, he) = self.two()
        x, y = self.two_of("看书 写字 做饭 洗衣服 打扫房间 听音乐 看电视 打电话 睡觉 喝茶 画画 练琴".split())
        food = self.pick(FOODS)
        return self.pick(
            [
                f"{a}正在{x}，{b}正在{y}。",
                f"{a}{x}的时候，{b}在{y}。",
                f"你看，{a}在{x}呢。",
                f"{a}教{b}{self.pick(HOBBIES[:12])}，{b}学得很{self.pick('快|认真|慢')}。",
                f"{a}喜欢吃{food}，{b}也喜欢吃{food}。",
                f"{a}看了看{b}，{b}也看了看{a}。",
            ]
        )

    def home(self):
        (a, she), (b, he) = self.two()
        c, they = self.child()
        family = ["爸爸", "妈妈"] + self.rand.sample("哥哥 姐姐 弟弟 妹妹 爷爷 奶奶".split(), self.rand.randrange(3)) + [they]
        return self.pick(
            [
                f"{c}家有{counted(len(family), '口')}人：{listed(family)}。",
                f"{a}家的{self.pick('客厅|厨房|院子|房间')}很{self.pick('大|小|干净|漂亮|安静')}。",
                f"吃完晚饭，{a}洗碗，{b}{self.pick('扫地|擦桌子|看报纸|倒垃圾|泡茶')}。",
                f"{a}在门口种了{counted(self.rand.randrange(1, 5), '棵')}{self.pick('桃树|柳树|苹果树|松树')}。",
                f"{self.pick('过年|过生日|中秋节')}的时候，{a}和家人一起{self.pick('吃饺子|看月亮|吃蛋糕|唱歌|包饺子')}。",
            ]
        )


class ChineseRelations(EverydayChinese):
    """Sentences in which a word is decided by one that stands farther off."""

    def __init__(self, seed):
        super().__init__(seed)
        self.kinds = [(self.give, 5), (self.copy, 2), (self.because_person, 2), (self.because_animal, 1)]


if __name__ == "__main__":
    print("\n".join(EverydayChinese(1).stories(3000)))
