# Packages of Debian have the completions of zsh in a folder of their own.
set(zsh ${CPACK_TEMPORARY_DIRECTORY}/usr/share/zsh)
file(RENAME ${zsh}/site-functions ${zsh}/vendor-completions)
