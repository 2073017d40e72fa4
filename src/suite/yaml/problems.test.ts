import { expect, test } from 'vitest';
import { renderProblem } from './problems.ts';

test('a problem is painted at its place, its margin and its caret', () => {
  const tag = (name: string) => (text: string) => `<${name}>${text}</${name}>`;
  const rendered = renderProblem(
    {
      code: 'bad-value',
      message: 'no port',
      position: { file: 'carrier.yaml', line: 2, column: 7 },
      sourceLine: 'port: 84433',
      hint: 'write another',
    },
    { place: tag('place'), mark: tag('mark'), aside: tag('aside') },
  );
  expect(rendered.split('\n')).toEqual([
    '<place>carrier.yaml:2:7:</place> no port',
    '<aside>    2 |</aside> port: 84433',
    '<aside>      |</aside>       <mark>^^^^^</mark>',
    '   write another',
  ]);
});
