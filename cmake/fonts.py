# fonts.py all|page OUT.cpp OUT.txt FOLDER...: find the faces below in the folders, cut them down, write them as C++, and
# what each family says of its authors and its licence as text.
import glob, io, os, sys

from fontTools import subset, ttLib

# What the lab may show: Latin with accents, Greek, Cyrillic, punctuation, raised and lowered signs, arrows, mathematics,
# circled numbers, geometric shapes, ticks and crosses.
SHOWN = ('20-7E A0-17F 370-3FF 400-45F 490-491 2010-2027 2030-203A 2044 2070-209F 20AC 1D40 2190-21FF 2200-22FF 2318 2460-2473 '
         '25A0-25FF 2630 2713 2717')
# The page loads no more than it needs for Latin: the browser draws other letters (platform/page_glyphs_web.cpp).
SHOWN_ON_THE_PAGE = ('20-7E A0-17F 2013-2014 2018-201E 2020 2022 2026 2039-203A 2070-2079 207B 2080-2089 20AC 2190-2195 21C4 '
                     '2208 2211-2213 221A 221E 2248 2260 2264-2265')
FACES = ['Inter-Regular.otf', 'Inter-Medium.otf', 'Inter-Bold.otf', 'JetBrainsMono-Regular.ttf',
         'JetBrainsMono-Bold.ttf']
# Signs that the design uses and a face may lack; those that it does lack are taken from DejaVu.
SIGNS = '√Σᵀ∞α≤≥×①②③④✓✗ₖΔ÷−⌘◐☰⋯→←↑↓↔▸▾∈‖·•≈≠∑'
SIGN_SOURCES = {'kSansSigns': ('DejaVuSans.ttf', 'Inter-Regular.otf'),
                'kMonoSigns': ('DejaVuSansMono.ttf', 'JetBrainsMono-Regular.ttf')}
LICENSED = ['Inter-Regular.otf', 'JetBrainsMono-Regular.ttf', 'DejaVuSans.ttf']


def main(where, out, licences, folders):
    paths = {name: find(name, folders) for name in FACES + [s for s, _ in SIGN_SOURCES.values()]}
    with open(out, 'w') as f:
        f.write(source(paths, {'all': SHOWN, 'page': SHOWN_ON_THE_PAGE}[where]))
    with open(licences, 'w') as f:
        f.write('\n\n'.join(licence(paths[name]) for name in LICENSED) + '\n')


def find(name, folders):
    for folder in folders:
        found = sorted(glob.glob(os.path.join(glob.escape(folder), '**', name), recursive=True))
        if found:
            return found[0]
    sys.exit(f'fonts.py: {name} is in none of: {" ".join(folders)}')


def licence(path):
    names = ttLib.TTFont(path)['name']
    return '\n'.join(names.getDebugName(i).strip() for i in (1, 0, 13))      # family, copyright, licence


def source(paths, ranges):
    shown = {ord(c) for c in SIGNS}
    for part in ranges.split():
        first, _, last = part.partition('-')
        shown.update(range(int(first, 16), int(last or first, 16) + 1))
    arrays, entries = [], []
    for i, name in enumerate(FACES):
        arrays.append(array(f'face{i}', cut(paths[name], shown)))
        entries.append(f'    {asset(name, f"face{i}")},')
    single = []
    for asset_name, (name, base) in SIGN_SOURCES.items():
        missing = {ord(c) for c in SIGNS} - set(ttLib.TTFont(paths[base]).getBestCmap())
        arrays.append(array(f'{asset_name}_data', cut(paths[name], missing)))
        single.append(f'const Asset {asset_name} = {asset(name, f"{asset_name}_data")};')
    return '\n'.join(['// Made by cmake/fonts.py.', '#include "draw/assets.hpp"', 'namespace lab {', 'namespace {',
                      *arrays, '}  // namespace', 'const Asset kFonts[kFaces] = {', *entries, '};', *single,
                      '}  // namespace lab', ''])


def cut(path, shown):
    options = subset.Options(hinting=False, layout_features=[], desubroutinize=True, notdef_outline=True,
                             drop_tables=['FFTM'])
    font = subset.load_font(path, options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=shown)
    subsetter.subset(font)
    # ImGui's font size is ascent - descent: make that 1 em.
    hhea, os2, em = font['hhea'], font['OS/2'], font['head'].unitsPerEm
    hhea.ascent = round(hhea.ascent * em / (hhea.ascent - hhea.descent))
    hhea.descent, hhea.lineGap = hhea.ascent - em, 0
    os2.sTypoAscender, os2.sTypoDescender, os2.sTypoLineGap = hhea.ascent, hhea.descent, 0
    font.flavor = None
    font.recalcTimestamp = False
    data = io.BytesIO()
    subset.save_font(font, data, options)
    return data.getvalue()


def array(name, data):     # string literals compile many times faster than lists of numbers
    lines = [''.join(f'\\{b:03o}' for b in data[i:i + 64]) for i in range(0, len(data), 64)]
    return f'alignas(16) const char {name}[] =\n' + '\n'.join(f'"{line}"' for line in lines) + ';'


def asset(name, data):
    return f'{{"{name}", reinterpret_cast<const unsigned char*>({data}), sizeof {data} - 1}}'


main(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:])
