import { AssertionError } from 'node:assert';
import { countNoun } from '../lib/lists.ts';
import { resultHeadlineLine } from '../verdict/headline.ts';
import { runExitCode, runEnding } from '../verdict/ending.ts';
import { brokenRules } from '../report/shared/broken-rules.ts';
import { createModel } from '../report/shared/model.ts';
import { forTerminal } from '../report/shared/sanitize.ts';
import { renderTerminal } from '../report/terminal/render.ts';
import { certify } from './certify.ts';
import type { CertifyOptions, CertifyResult, TargetChoice } from './options.ts';
import { throwAtCaller } from './throw-at-caller.ts';

/** Longest description in a test failure, in lines. */
const maxDescriptionLines = 200;

/** Describes the findings of a result as plain text without colours; hostile text is escaped for a terminal. */
export function describeResult(result: CertifyResult): string {
  const lines = renderTerminal(result, { colour: false, width: 100, detail: 'brief' }).trimEnd().split('\n');
  const more = lines.length - maxDescriptionLines;
  return [
    ...lines.slice(0, maxDescriptionLines),
    ...(more > 0 ? [`and ${countNoun(more, 'further line')}: \`out\` keeps the reports`] : []),
  ].join('\n');
}

/** The most important finding on one line; the headline if nothing is broken. Text of the carrier is escaped. */
function firstWords(result: CertifyResult): string {
  const [first] = brokenRules(result, createModel(result));
  return first === undefined ? resultHeadlineLine(result) : forTerminal(`${first.ref}: ${first.summary}`);
}

/**
 * Certifies a carrier in a test. Returns the result where `carrierspec run` would end with 0; otherwise throws an
 * AssertionError of node:assert whose message describes the findings. Works in node:test, vitest and other runners. Throws CarrierspecError
 * as `certify` does.
 */
export async function expectConformant(target: TargetChoice, options: CertifyOptions = {}): Promise<CertifyResult> {
  const result = await throwAtCaller(expectConformant, () => certify(target, options));
  if (runExitCode(result) === 0) return result;
  throw new AssertionError({
    message: `${firstWords(result)} (exit code ${runExitCode(result)})\n\n${describeResult(result)}`,
    actual: runEnding(result),
    expected: 'conformant',
    operator: 'expectConformant',
    stackStartFn: expectConformant,
  });
}
