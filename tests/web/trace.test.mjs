// One program: the page, the native command line and its twin for Node print the same trace, character for character.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { browserTest, built } from './browser.mjs';

const queries = [
  '',
  'text=Hello',
  'text=The+cat+sat+on+the+mat+and+na%C3%AFve+caf%C3%A9s+%E7%8C%AB',
  'text=',
  'seed=18446744073709551615&d_in=5&d_out=4',
  'd_in=64&d_out=64&text=one+two+three+four+five+six+seven+eight+nine+ten',
  'd_in=1&d_out=1&word_seed=7&text=a+b',
  'move=W_query.weight,transpose,W_query&move=W_key.weight,transpose,W_key&move=W_value.weight,transpose,W_value',
  'seed=789&d_in=3&d_out=3&move=W_query.weight,copy,W_query&move=W_key.weight,copy,W_value',
  'bias=1&from=v1&to=v2',
  'to=causal&compare=as-is&bias=1',
  'from=causal&mask=zero-scores&dropout=0.5&stream=mkl',
  'fault=5&d_out=3&seed=789',
  'edit=source.W_query.weight.0.0:1e30&edit=inputs.1.2:nan&edit=target.W_key.0.0:-inf',
  'seed=nonsense&d_in=0&d_out=999&move=a,b&edit=x&lesson=none&mask=%00&text=%F0%9F%98%80+%ff',
];

browserTest('the page, the native program and Node print the same numbers', { complaints: true }, async lab => {
  const printed = (program, ...args) => execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 1 << 26 }).replace(/\n$/, '');
  for (const query of queries) {
    await lab.open(query);
    const shown = await lab.trace();
    assert.equal(typeof shown, 'string');
    assert.equal(shown, printed(built.native, 'trace', query), `native, ${query}`);
    assert.equal(shown, printed('node', built.node, 'trace', query), `Node, ${query}`);
    const { state, tensors } = JSON.parse(shown);
    assert.equal(state, await lab.query());
    assert.ok(tensors.inputs || query === 'text=', query);
    assert.ok(tensors['source.W_value.weight'] || tensors['source.W_value'], query);
  }
});
