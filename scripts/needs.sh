# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
#
# What has to be installed, and how to get it. Sourced by run and check.
#
#   GROUP TEST ARGUMENT   debian   fedora   arch   opensuse
#
# Groups: build (nothing works without), check (tests), looks (fonts and icons: installed where that
# can be done, but nothing stops without them).
#
# Each row tests for the thing itself, not for a package, so that a machine
# where everything is there is never asked for anything, whatever its system.

system_id=
if [ -r /etc/os-release ]; then
  system_id=$(. /etc/os-release && echo "${ID:-} ${ID_LIKE:-}")
fi

# Which column of the table names this system's packages: 1 … 4, 0 where none does.
package_column() {
  case " $system_id " in
  *" debian "* | *" ubuntu "*) echo 1 ;;
  *" fedora "* | *" rhel "*) echo 2 ;;
  *" arch "*) echo 3 ;;
  *suse*) echo 4 ;;
  *) if command -v apt-get >/dev/null; then echo 1; else echo 0; fi ;;
  esac
}

needs_table() {
  cat <<'TABLE'
build program   cc                      gcc                        gcc                          gcc                 gcc
build compiler  cc                      libc6-dev                  glibc-devel                  glibc               glibc-devel
build program   meson                   meson                      meson                        meson               meson
build program   ninja                   ninja-build                ninja-build                  ninja               ninja
build program   pkg-config              pkg-config                 pkgconf-pkg-config           pkgconf             pkgconf-pkg-config
build program   msgfmt                  gettext                    gettext                      gettext             gettext-tools
build program   glib-compile-resources  libglib2.0-dev-bin         glib2-devel                  glib2-devel         glib2-devel
build program   xmllint                 libxml2-utils              libxml2                      libxml2             libxml2-tools
build program   python3                 python3                    python3                      python              python3
build library   glib-2.0                libglib2.0-dev             glib2-devel                  glib2               glib2-devel
build library   libcjson                libcjson-dev               cjson-devel                  cjson               cJSON-devel
build library   libpcre2-8              libpcre2-dev               pcre2-devel                  pcre2               pcre2-devel
build library   openblas                libopenblas-dev            openblas-devel               openblas            openblas-common-devel
build library   cairo                   libcairo2-dev              cairo-devel                  cairo               cairo-devel
build library   pangocairo              libpango1.0-dev            pango-devel                  pango               pango-devel
build library   libpng                  libpng-dev                 libpng-devel                 libpng              libpng16-devel
build library   gtk4                    libgtk-4-dev               gtk4-devel                   gtk4                gtk4-devel
build library   libadwaita-1            libadwaita-1-dev           libadwaita-devel             libadwaita          libadwaita-devel
build program   fc-list                 fontconfig                 fontconfig                   fontconfig          fontconfig
build program   gtk4-update-icon-cache  libgtk-4-bin               gtk-update-icon-cache        gtk-update-icon-cache gtk4-tools
build program   update-desktop-database desktop-file-utils         desktop-file-utils           desktop-file-utils  desktop-file-utils
build program   update-mime-database    shared-mime-info           shared-mime-info             shared-mime-info    shared-mime-info
looks icons     Adwaita                 adwaita-icon-theme         adwaita-icon-theme           adwaita-icon-theme  adwaita-icon-theme
looks loader    svg                     librsvg2-common            librsvg2                     librsvg             gdk-pixbuf-loader-rsvg
looks font      :lang=zh-cn             fonts-noto-cjk             google-noto-sans-cjk-fonts   noto-fonts-cjk      google-noto-sans-cjk-fonts
looks font      :charset=1f600          fonts-noto-color-emoji     google-noto-color-emoji-fonts noto-fonts-emoji   google-noto-coloremoji-fonts
check program   clang                   clang                      clang                        clang               clang
check sanitizer clang                   libclang-rt-N-dev          compiler-rt                  compiler-rt         clang
check program   clang-format            clang-format               clang-tools-extra            clang               clang
check program   llvm-symbolizer         llvm                       llvm                         llvm                llvm
check program   Xvfb                    xvfb                       xorg-x11-server-Xvfb         xorg-server-xvfb    xorg-x11-server-Xvfb
check program   xvfb-run                xvfb                       xorg-x11-server-Xvfb         xorg-server-xvfb    xvfb-run
check program   xauth                   xauth                      xorg-x11-xauth               xorg-xauth          xauth
check program   dbus-run-session        dbus-daemon                dbus-daemon                  dbus                dbus-1
check typelib   Atspi-2.0               gir1.2-atspi-2.0           at-spi2-core                 at-spi2-core        typelib-1_0-Atspi-2_0
check atspi     bus                     at-spi2-core               at-spi2-core                 at-spi2-core        at-spi2-core
check module    gi                      python3-gi                 python3-gobject              python-gobject      python3-gobject
check program   desktop-file-validate   desktop-file-utils         desktop-file-utils           desktop-file-utils  desktop-file-utils
check program   appstreamcli            appstream                  appstream                    appstream           AppStream
check program   rsvg-convert            librsvg2-bin               librsvg2-tools               librsvg             rsvg-convert
check program   xclip                   xclip                      xclip                        xclip               xclip
check program   pdftotext               poppler-utils              poppler-utils                poppler             poppler-tools
check program   groff                   groff-base                 groff-base                   groff               groff
check locale    de_DE                   locales                    glibc-locale-source          glibc               glibc-i18ndata
TABLE
}

# The distribution's own Python: a newer one earlier in PATH lacks its modules.
system_python() {
  if [ -x /usr/bin/python3 ]; then echo /usr/bin/python3; else command -v python3; fi
}

# Whether the thing of one row is there.
is_present() {
  case "$1" in
  program) command -v "$2" >/dev/null ;;
  compiler) echo 'int main(void){return 0;}' | "$2" -x c - -o /dev/null 2>/dev/null ;;
  sanitizer)
    echo 'int main(void){return 0;}' |
      "$2" -fsanitize=address,undefined,fuzzer-no-link -x c - -o /dev/null 2>/dev/null
    ;;
  library) pkg-config --exists "$2" 2>/dev/null ;;
  # Asked for the list as a whole: a pipe into grep -q would end fc-list early, under pipefail.
  font) command -v fc-list >/dev/null && [ -n "$(fc-list "$2" family 2>/dev/null)" ] ;;
  icons) [ -d "/usr/share/icons/$2" ] || [ -d "/usr/local/share/icons/$2" ] ;;
  loader) [ -n "$(find /usr/lib /usr/lib64 -path '*gdk-pixbuf-2.0*' -name "*$2*" -print -quit 2>/dev/null)" ] ;;
  module) "$(system_python)" -c "import $2" 2>/dev/null ;;
  typelib) [ -n "$(find /usr/lib /usr/lib64 -name "$2.typelib" -print -quit 2>/dev/null)" ] ;;
  atspi) [ -n "$(find /usr/libexec /usr/lib -name 'at-spi-bus-launcher' -print -quit 2>/dev/null)" ] ;;
  locale) [ -e "/usr/share/i18n/locales/$2" ] ;;
  *) return 1 ;;
  esac
}

# missing_packages COLUMN GROUP…: the packages of the things that are not there, each once.
missing_packages() {
  local column=$1 group test argument packages
  shift
  while read -r group test argument packages; do
    case " $* " in
    *" $group "*) is_present "$test" "$argument" </dev/null || echo "$packages" | tr -s ' ' | cut -d ' ' -f "$column" ;;
    esac
  done < <(needs_table) | sort -u | paste -s -d ' '
}

# The version of clang that this system installs, 14 if it can't be told.
clang_version() {
  local version
  version=$(apt-cache depends clang 2>/dev/null | sed -n 's/.*Depends: clang-\([0-9]*\)$/\1/p' | head -n 1)
  echo "${version:-14}"
}

# install_needs GROUP…: gets what is missing, or says what to type and fails.
install_needs() {
  local column packages looks needed sudo=
  column=$(package_column)
  packages=$(missing_packages "$((column > 0 ? column : 1))" "$@")
  looks=$(missing_packages "$((column > 0 ? column : 1))" looks)

  if [ "$column" != 1 ]; then
    [ -z "$looks" ] || echo "Worth installing, for all characters and icons: $looks" >&2
    [ -n "$packages" ] || return 0
    case "$column" in
    2) echo "Please install what is missing: sudo dnf install $packages" >&2 ;;
    3) echo "Please install what is missing: sudo pacman -S $packages" >&2 ;;
    4) echo "Please install what is missing: sudo zypper install $packages" >&2 ;;
    *) echo "Please install what is missing; Debian calls the packages: $packages" >&2 ;;
    esac
    return 1
  fi

  needed=$packages
  packages=$(echo "$packages $looks" | xargs)
  [ -n "$packages" ] || return 0

  # The sanitizers' package carries the version of the compiler that it belongs to.
  if [[ $packages == *libclang-rt-N-dev* ]]; then
    packages=${packages/libclang-rt-N-dev/libclang-rt-$(clang_version)-dev}
  fi

  if [ "$(id -u)" != 0 ]; then
    # With a terminal sudo may ask for the password; without one it must not wait for it.
    if command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
      sudo=sudo
    else
      echo "Please install what is missing, as root: apt-get install $packages" >&2
      [ -z "$needed" ]
      return
    fi
  fi

  echo "Installing: $packages" >&2
  # shellcheck disable=SC2086 # one word per package
  if ! $sudo env DEBIAN_FRONTEND=noninteractive apt-get update -q >&2 ||
    ! $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $packages >&2; then
    echo "The installation failed; by hand: apt-get install $packages" >&2
    [ -z "$needed" ]
    return
  fi

  hash -r
  packages=$(missing_packages "$column" "$@")
  if [ -n "$packages" ]; then
    echo "Still not found after the installation (Debian 12 or newer is needed): $packages" >&2
    return 1
  fi
}
