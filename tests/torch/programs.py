# programs.py LAB FOLDER [--write]: runs the PyTorch program of every state in FOLDER/queries.txt and holds every matrix
# that it makes against the screen's, which LAB (attention-lab) prints. Without --write the programs and what they
# print must be those that FOLDER keeps; with it they are kept.
import io, json, os, re, subprocess, sys, traceback
from contextlib import redirect_stdout
from pathlib import Path

import torch

NEAR = 1e-6                                  # times the largest number of the matrix, where that is more than 1
# The names of the lab where the program has its own, and what no program makes: the leak meter's and the bench's own.
# It may lack inputs under their second name and sums that nothing else is made from.
LAB_NAMES = {'simple_scores': 'simple.attn_scores', 'simple_weights': 'simple.attn_weights',
             'simple_context': 'simple.context_vec', 'stacked_out': 'wrapper.out', 'fused_out': 'out', 'mha_concat': 'mha.concat',
             'mha_out': 'mha.out', 'stacked_before': 'before.wrapper.out', 'mha_before': 'before.mha.out', 'mha_change': 'fused_change', 'weights': 'all.attn_weights', 'mha_weights': 'mha.all.attn_weights',
             'simple_inputs': 'simple.inputs', 'a': 'source.context_vec', 'b': 'target.context_vec'}
NOT_MADE = re.compile(r'(unedited|perturbed)\.|influence$|leak$|difference$')
# Programs of several heads make them all at once.
OF_HEADS = re.compile(r'(inputs|((before\.)?(wrapper\.|mha\.))?out|(mha\.)?(concat|all\.attn_weights)|difference|(stacked|fused)_change)$')
# Of a transformer block: what its attention and its other parts are called there, and what is made of all heads at once.
BLOCK_NAMES = [(re.compile(p), by) for p, by in ((r'att\.(W_\w+|out_proj)\.', r'\1.'), (r'att\.(queries|keys|values|concat)$', r'\1'),
               (r'ff\.layers\.0\.', 'ff1.'), (r'ff\.layers\.2\.', 'ff2.'), (r'(norm\d)\.(scale|shift)$', r'\1_\2'))]
OF_ALL_HEADS = {'queries': 'q', 'keys': 'k', 'values': 'v', 'keep': 'keep', 'attn_scores': 'attn_scores', 'masked_scores': 'masked_scores',
                'attn_weights': 'attn_weights', 'dropout_mask': 'dropout_mask', 'attn_weights_dropped': 'attn_weights_dropped',
                'context_vec': 'context_vec'}
# Of a GPT's trace, what read_by() makes; the other stages of a head are made from these.
OF_GPT = re.compile(r'(ids|final_norm|logits|blocks\.\d+\.(resid_pre|queries|keys|values|heads\.\d+\.(attn_scores|attn_weights|context_vec)))$')
MAY_LACK = ('simple.inputs', 'simple.row_sums', 'simple.sum_normalized', 'row_sums')


def main(lab, folder, write=False):
    states = [line.split() for line in (folder / 'queries.txt').read_text().splitlines() if line and line[0] != '#']
    torch.set_num_threads(1)                 # a forked process has only the thread that forked
    failed, largest, matrices = 0, (0, ''), 0
    for name, query in states:
        try:
            program = output(lab, 'program', query)
            printed, made = in_a_process(lambda: run(program, query))
            kept = {folder / (name + '.py'): program, folder / (name + '.txt'): printed}
            for file, text in kept.items():
                if write:
                    file.write_text(text)
                elif not file.exists() or not same_text(file, text):
                    raise AssertionError(f'{file.name} keeps something else')
            differences = compare(json.loads(output(lab, 'trace', query))['tensors'], made, query)
            matrices += len(differences)
            largest = max([largest, *differences])
            print(f'ok {name}')
        except Exception as problem:
            failed += 1
            print(f'not ok {name}: {problem}')
    if write:
        names = {name for name, _ in states}
        for file in folder.glob('*'):
            if file.name != 'queries.txt' and file.stem not in names:
                file.unlink()
    print(f'torch {torch.__version__}: {matrices} matrices, the largest difference is {largest[0]:.3g} ({largest[1]})')
    print(f'# pass {len(states) - failed}\n# fail {failed}')
    return 1 if failed else 0


def output(lab, command, query):
    ran = subprocess.run([lab, command, query], capture_output=True, text=True)
    if ran.returncode or ran.stderr:
        raise AssertionError(f'{command}: {ran.stderr.strip()}')
    return ran.stdout


def in_a_process(work):                      # importing torch takes longer than all programs: once, then fork
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            answer = {'answer': work()}
        except BaseException:
            answer = {'problem': traceback.format_exc(limit=-1)}
        with os.fdopen(write, 'w') as pipe:
            json.dump(answer, pipe)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        answer = json.load(pipe)
    os.waitpid(child, 0)
    if 'problem' in answer:
        raise AssertionError(answer['problem'])
    return answer['answer']


def run(program, query):                            # what it prints, and {name: numbers} of the tensors that it leaves behind
    said, left = io.StringIO(), {}
    with redirect_stdout(said):
        exec(compile(program, 'program.py', 'exec'), left)
    made = {}
    for name, thing in left.items():
        if isinstance(thing, torch.nn.Module):
            made.update({f'{name}.{part}': p.flatten().tolist() for part, p in thing.named_parameters()})
        elif isinstance(thing, torch.Tensor):
            made[LAB_NAMES.get(name, name)] = thing.flatten().tolist()
    if hasattr(left.get('model'), 'trf_blocks'):
        with torch.no_grad():
            made.update({name: m.flatten().tolist() for name, m in read_by(left, query)})
    return said.getvalue(), made


def read_by(left, query):                    # what the program's model makes of the text that it was given, by the lab's names
    model, ids = left['model'], left['ids'][:, :left['ids'].shape[1] - left['turn'] - 1]
    yield 'ids', ids
    x = model.tok_emb(ids) + model.pos_emb(torch.arange(ids.shape[1]))
    for i, block in enumerate(model.trf_blocks):
        if isinstance(block, torch.nn.Identity):
            continue
        yield f'blocks.{i}.resid_pre', x
        made = {name: w(block.norm1(x))[0] for name, w in (('queries', block.att.W_query), ('keys', block.att.W_key), ('values', block.att.W_value))}
        yield from ((f'blocks.{i}.{name}', m) for name, m in made.items())
        width = x.shape[-1] // block.att.n_heads
        for h in range(block.att.n_heads):
            q, k, v = (m[:, h * width:(h + 1) * width] for m in made.values())
            scores = q @ k.T
            future = torch.triu(torch.ones_like(scores), diagonal=1).bool()
            weights = torch.softmax(scores.masked_fill(future, -torch.inf) / (1 if 'scaled=0' in query else width ** 0.5), dim=-1)
            yield from ((f'blocks.{i}.heads.{h}.{name}', m) for name, m in (('attn_scores', scores), ('attn_weights', weights), ('context_vec', weights @ v)))
        x = block(x)
    last = model.final_norm(x)[:, -1]
    yield 'final_norm', last
    yield 'logits', last @ (model.tok_emb if 'tied=1' in query else model.out_head).weight.T


def as_block(screen, query):                 # the block's matrices by their names in the program
    ours = {}
    for name, tensor in screen.items():
        if not re.match(r'(unedited|pre|post|book)\.|att\.(heads|out|inputs)\b', name):
            for pattern, by in BLOCK_NAMES:
                name = pattern.sub(by, name)
            ours[name] = tensor
    for lab, python in OF_ALL_HEADS.items():
        maps = [t['data'] for name, t in screen.items() if re.match(r'att\.heads\.\d+\.' + lab + '$', name)]
        if maps and not (lab == 'context_vec' and 'off=' in query):
            ours[python] = {'data': [x for one in maps for x in one]}
    return ours


def compare(screen, made, query):            # [(difference, where)], of each matrix that both have
    if 'resid_post' in screen:
        screen = as_block(screen, query)
    bench = 'source.inputs' in screen and 'target.inputs' in screen
    for side in ('source.', 'target.'):      # what several heads return
        if bench and side + 'out' in screen:
            screen[side + 'context_vec'] = screen[side + 'out']
    heads = 'wrapper.out' in screen
    if heads:
        screen = {**screen, **{module + 'all.attn_weights': stacked(screen, module) for module in ('', 'mha.')
                               if module + 'heads.0.attn_weights' in screen}}
    found = []
    for name, tensor in screen.items():
        if 'ids' in screen and not OF_GPT.match(name):
            continue
        if heads and not OF_HEADS.match(name) or NOT_MADE.match(name) and not heads or bench and name not in ('source.context_vec', 'target.context_vec', 'inputs'):
            continue
        if name not in made and name in MAY_LACK:
            continue
        if name not in made:
            raise AssertionError(f'the program makes no {name}')
        ours, theirs = [float(x) for x in tensor['data']], made[name]
        if len(ours) != len(theirs):
            raise AssertionError(f'{name} has {len(theirs)} numbers, not {len(ours)}')
        size = max([1] + [abs(x) for x in ours if abs(x) < float('inf')])
        apart = max(difference(a, b) for a, b in zip(ours, theirs))
        if apart > NEAR * size:
            raise AssertionError(f'{name} differs by {apart}')
        found.append((apart / size, f'{name} of {query}'))
    return found


def stacked(screen, module):                 # every head's attention weights, one after another
    maps = [t['data'] for name, t in screen.items() if re.match(re.escape(module) + r'heads\.\d+\.attn_weights$', name)]
    return {'data': [x for one in maps for x in one]}


def difference(a, b):
    if a != a or b != b:
        return 0 if a != a and b != b else float('inf')
    return 0 if a == b else abs(a - b)


NUMBER = re.compile(r'-?\d+\.?\d*(?:e[+-]\d+)?')


def same_text(file, text):                   # another torch may add in another order, or break lines elsewhere
    old = file.read_text()
    if old == text or file.suffix == '.py':
        return old == text
    one, other = (NUMBER.findall(t) for t in (old, text))
    return (NUMBER.sub('', old).split() == NUMBER.sub('', text).split() and len(one) == len(other)
            and all(abs(float(a) - float(b)) <= 2e-6 * max(1, abs(float(a))) for a, b in zip(one, other)))


sys.exit(main(sys.argv[1], Path(sys.argv[2]), '--write' in sys.argv[3:]))
