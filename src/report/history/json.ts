import type { History } from '../../compare/history/lines.ts';
import { forJson, renderJsonLines } from '../shared/sanitize.ts';

/** The history as one JSON document, a carrier, edition or matrix a line. */
export function* renderHistoryJson({ carriers, editions, matrices }: History): Iterable<string> {
  yield `{\n"format":${forJson('carrierspec-history')},\n"version":1,\n`;
  const lists = Object.entries({ editions, carriers, matrices });
  for (const [at, [name, values]] of lists.entries()) {
    yield `"${name}":[`;
    yield* renderJsonLines(values);
    yield at === lists.length - 1 ? '\n]\n}\n' : '\n],\n';
  }
}
