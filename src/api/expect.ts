import { AssertionError } from 'node:assert';
import { countOf } from '../lib/lists.ts';
import { endingOf } from '../model/ending.ts';
import { renderTerminal } from '../report/terminal/render.ts';
import { certify } from './certify.ts';
import type { CertifyOptions, CertifyResult, TargetChoice } from './options.ts';

/** Lines of findings that a test prints. */
const mostLines = 200;

/** What is wrong with a result, in words, without colours; hostile text in it is made safe for a terminal. */
export function describeResult(result: CertifyResult): string {
  const lines = renderTerminal(result, { colour: false, width: 100, detail: 'usual' }).trimEnd().split('\n');
  const more = lines.length - mostLines;
  return [
    ...lines.slice(0, mostLines),
    ...(more > 0 ? [`and ${countOf(more, 'further line')}: \`out\` keeps the reports`] : []),
  ].join('\n');
}

/**
 * Certifies a carrier in a test. Gives the result where it is conformant, or where everything that is broken is expected; throws
 * an AssertionError of node:assert otherwise, whose message has the findings in words. Works in node:test, vitest and any other
 * runner. Throws CarrierspecError as `certify` does.
 */
export async function expectConformant(target: TargetChoice, options: CertifyOptions = {}): Promise<CertifyResult> {
  const result = await certify(target, options);
  const ending = endingOf(result);
  if (ending === 'conformant' || ending === 'expected') return result;
  throw new AssertionError({
    message: `the carrier is not conformant\n\n${describeResult(result)}`,
    actual: ending,
    expected: 'conformant',
    operator: 'expectConformant',
    stackStartFn: expectConformant,
  });
}
