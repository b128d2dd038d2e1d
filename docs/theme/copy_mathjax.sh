#!/bin/sh
# Copies into the book the part of MathJax that draws TeX as SVG: 2 MB of Debian's 54. Pages without a formula, half of
# them, do not load it.
# usage: copy_mathjax.sh HTML_FOLDER [MATHJAX_FOLDER]
set -eu
out=${1:?usage: copy_mathjax.sh HTML_FOLDER [MATHJAX_FOLDER]}/mathjax
from=${2:-/usr/share/javascript/mathjax}
[ -f "$from/MathJax.js" ] || { echo "copy_mathjax.sh: no MathJax.js in $from (Debian package libjs-mathjax)" >&2; exit 1; }

for part in MathJax.js \
    extensions/tex2jax.js extensions/MathEvents.js extensions/MathMenu.js extensions/MathZoom.js \
    extensions/toMathML.js extensions/HelpDialog.js extensions/TeX \
    jax/input/TeX jax/element/mml \
    jax/output/SVG/config.js jax/output/SVG/jax.js jax/output/SVG/autoload jax/output/SVG/fonts/TeX; do
  mkdir -p "$out/$(dirname "$part")"
  cp -RL "$from/$part" "$out/$(dirname "$part")/"
done

for page in "$1"/*.html; do
  sed '1,/<body/d' "$page" | grep -q '\\[([]' || sed -i '/ src="mathjax\/MathJax.js"/d' "$page"
done
