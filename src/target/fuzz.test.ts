import { afterAll, expect, test } from 'vitest';
import { renderProblem } from '../suite/render-problem.ts';
import { createWorkbench } from './testing/load-with.ts';

const { loadText, remove } = createWorkbench();
afterAll(remove);
const texts = [
  `carrier: A
mccmnc: "001010"
clients:
  main:
    client_id: x
    secret: hushHUSH
    redirect_uris: []
    keys:
      - kty: EC
        d: hushHUSH
      - file: a
`,
  `carrier: A
mccmnc: "001010"
clients: { main: { client_id: x, secret: "hushHUSH", keys: [{ "kty": "EC", "d": "hushHUSH" }], kees: 1 } }
drivers: { approve: { http: { url: 1, headers: { a: hushHUSH }, jon: hushHUSH } } }
`,
  `clients:
  main:
    secret: |
      hushHUSH
      x: hushHUSH
    keys: [{ file: "x
     hushHUSH" }, {}]
`,
];
test('fuzz', () => {
  const bad = new Map<string, string>();
  let runs = 0;
  const check = (text: string) => {
    runs += 1;
    const { problems } = loadText(text);
    const out = problems.map(renderProblem).join('\n') + JSON.stringify(problems);
    if (/hush|HUSH/.test(out)) {
      const p = problems.find((one) => /hush|HUSH/.test(JSON.stringify(one)));
      bad.set(`${p?.code}|${p?.message}`, text + '\n' + JSON.stringify(p));
    }
  };
  for (const text of texts) {
    for (let i = 0; i < text.length; i += 1) {
      check(text.slice(0, i) + text.slice(i + 1));
      for (const c of [
        '{',
        '}',
        '[',
        ']',
        ':',
        ': ',
        '"',
        "'",
        '#',
        ' #',
        '&',
        '*',
        '!',
        '|',
        '>',
        '%',
        '@',
        ',',
        '\n',
        '\\',
        '\t',
        '- ',
        '? ',
        '{{',
      ])
        check(text.slice(0, i) + c + text.slice(i));
    }
  }
  console.log(runs, bad.size);
  for (const [k, v] of bad) console.log('-----', k, '\n', v);
  expect(1).toBe(1);
}, 300000);
