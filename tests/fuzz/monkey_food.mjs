// What the monkey at the page is fed with.
export const keys = ['Tab', 'Shift+Tab', 'Enter', 'Space', 'Escape', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home',
  'End', 'PageUp', 'PageDown', 'Delete', 'Backspace', 'Control+z', 'Control+y', 'Control+Shift+z', 'Control+a', 'Control+c',
  'Control+v', 'Control+x', '+', '-', 'F2', '1', 'x', '/', '?'];

export const texts = ['1', '-2.5', '0', '7', 'nan', 'inf', '-inf', '1e39', '1e-46', 'x', ' ', '64', '65', 'a b c', '789', '.', '-',
  '0,5', '−0.25', '  0.5\n', '1\t2\n3\t4', '9999999999999999999999', '0x10', 'é', '😀', '👩‍👩‍👧‍👦 🏳️‍🌈', 'naïve 猫 שלום مرحبا', 'क्षत्रिय', 'ﷺ ﬁ Ǆ',
  'Z̸̢̛͍͚̃a̵̡͓͑l̷͇̈́g̴̺̿o̸͔̕', '\u202Egnirts\u202C', 'a\u200Bb\u00ADc\uFEFF', '\uD800', '\uFFFF\uFFFE', '\u2028\u2029', 'line\none\r\ntwo', '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>', "'; DROP TABLE words;--", '&lesson=roadmap', '%00%ff%', '${7*7}{{7*7}}', '%s%n%d', 'w '.repeat(70),
  'a'.repeat(5000), '猫'.repeat(3000), 'two words', 'the same the same the'];

export const parts = ['lesson=self-attention', 'lesson=causal-mask', 'lesson=transfer', 'lesson=roadmap', 'lesson=book', 'filter=1', 'row=25', 'text=a+b+c', 'text=',
  'text=one+two+three+four+five+six+seven', 'text=na%C3%AFve+%E7%8C%AB+%F0%9F%98%80', 'seed=789', 'seed=18446744073709551615', 'd_in=1',
  'd_in=5', 'd_in=64', 'd_out=4', 'd_out=1', 'd_out=40', 'mask=neginf', 'mask=after-dropout', 'mask=zero-scores', 'mask=transposed', 'training=1',
  'dropout=0.5', 'stream=mkl', 'step=zero', 'step=leak', 'step=wrong', 'step=dropout', 'step=question', 'step=match', 'bias=1', 'to=causal',
  'from=v1&to=v2', 'fault=3', 'fault=5&guess=W_key', 'move=W_query.weight,transpose,W_query', 'move=W_key.weight,copy,W_value',
  'edit=attn_scores.0.0:1000', 'edit=inputs.1.0:nan', 'edit=W_query.0.0:2', 'edit=inputs.5.2:-inf', 'theme=dark', 'theme=light', 'present=1',
  'hide=rail,inspector', 'hide=rail,inspector,timeline,input', 'digits=8', 'digits=0', 'word=1', 'lock=seed,mask', 'lock=edit,step,lesson',
  'cell=context_vec.0.0', 'cell=attn_weights.2.1', 'leak=0', 'changes=1', 'compare=as-is', 'rtol=0', 'atol=1', 'heads=3', 'heads=2', 'from=wrapper', 'to=mha', 'batch=2'];

export const hostile = ['', '%%%', '&&=&', '=', 'lesson', 'lesson=', 'lesson=__proto__', 'text=%00%01%ff%fe', 'text=%ED%A0%80', 'text=' + '%F0%9F%98%80'.repeat(300),
  'text=<script>alert(1)</script>', 'text="><img src=x onerror=alert(1)>', 'seed=-1', 'seed=1e9', 'seed=99999999999999999999999', 'd_in=0x10&d_out=-3',
  'edit=inputs.0.0:1e99', 'edit=__proto__.0.0:1', 'edit=inputs.99999.0:1', 'move=W_query[0:9,0:9],copy,W_key', 'cell=inputs.-1.-1', 'hide=constructor',
  'lock=' + 'seed,'.repeat(2000), 'step=' + 'x'.repeat(5000), 'digits=nan', 'theme=javascript:alert(1)', '%E0%A4%A', 'a=b#c=d', '?lesson=causal-mask', '/../../etc',
  'edit=inputs.0.0:1&'.repeat(300), 'constructor=1&__proto__=2&toString=3'];

export const windows = [[1600, 1000], [1600, 1000], [1280, 720], [800, 500], [640, 360], [390, 844], [844, 390], [120, 80], [1, 1], [2200, 1200]];

export const media = {
  'prefers-color-scheme': ['light', 'dark'],
  'prefers-reduced-motion': ['reduce', 'reduce', 'no-preference'],
  'prefers-contrast': ['no-preference', 'more', 'less'],
  'forced-colors': ['none', 'none', 'active'],
};
