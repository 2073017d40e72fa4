import type { Result } from '../model/result.ts';
import { isConclusive } from '../model/verdict.ts';
import { countAll, type EndedResult } from './make-manifest.ts';
import type { Manifest } from './manifest.ts';

/** Why a result is not certified. */
export type RefusalCode =
  | 'no-footer'
  | 'interrupted'
  | 'incomplete'
  | 'shard'
  | 'virtual-clock'
  | 'other-version'
  | 'unknown-suites'
  | 'unknown-addition'
  | 'contradiction';

export interface Refusal {
  readonly code: RefusalCode;
  readonly message: string;
}

/** What the signing program knows of itself: its version, and its suites with those that were named as additions. */
export interface Known {
  readonly version: string;
  readonly digests: { readonly rules: string; readonly suites: string };
  readonly additions: readonly string[];
  readonly rules: readonly string[];
}

export type Certifiable = { readonly result: EndedResult; readonly outcome: Manifest['outcome'] };

const refuse = (code: RefusalCode, message: string): { readonly refused: Refusal } => ({ refused: { code, message } });

function suitesRefusal({ header }: Result, { digests, additions, version }: Known): Refusal | undefined {
  const { tool, suites } = header;
  if (tool.version !== version) {
    const message = `the run was made by carrierspec ${tool.version}, and this is ${version}: certify with the version that ran`;
    return { code: 'other-version', message };
  }
  if (suites.rules === digests.rules && suites.suites === digests.suites) return undefined;
  if (additions.length === 0) {
    const message =
      'the run used rules or suites that do not ship with this carrierspec: name each further folder with --suites, as the run did, and the certificate says that it was added';
    return { code: 'unknown-suites', message };
  }
  const message = `the run used other rules or suites than those that ship and ${additions.join(', ')}: name the very folders of the run`;
  return { code: 'unknown-addition', message };
}

/** A rule that the suites do not have, that is there twice, or that a whole run has no verdict of. */
function ruleContradiction({ header, rules }: EndedResult, { rules: known }: Known): string | undefined {
  const ids = new Set(rules.map(({ id }) => id));
  if (ids.size !== rules.length) return 'it has a verdict of the same rule twice';
  const foreign = rules.find(({ id }) => !known.includes(id));
  if (foreign !== undefined) return `it has a verdict of ${foreign.id}, and its suites have no such rule`;
  const { selection, level, flags } = header;
  const whole = selection.length === 0 && level === 'informational' && !flags.includes('--without');
  const missing = whole ? known.find((id) => !ids.has(id)) : undefined;
  return missing === undefined ? undefined : `everything was selected, and it has no verdict of ${missing}`;
}

/** What the outcome is by the verdicts of rules: a result that was edited by hand does not follow from itself. */
function contradiction(result: EndedResult, known: Known): string | undefined {
  const { footer, rules } = result;
  const counts = countAll(rules.map(({ verdict }) => verdict));
  const written = Object.entries(footer.counts);
  for (const [verdict, count] of Object.entries(counts)) {
    const counted = written.find(([name]) => name === verdict)?.[1] ?? 0;
    if (counted !== count) return `its footer counts ${counted} rules ${verdict}, and ${count} are there`;
  }
  if ((footer.outcome === 'not conformant') !== counts.fail > 0) {
    return `its outcome is ${footer.outcome}, and ${counts.fail} of its rules have failed`;
  }
  const judged = rules.filter(({ verdict }) => isConclusive(verdict)).length;
  if (footer.score.all.judged !== judged) {
    return `its score says that ${footer.score.all.judged} rules were judged, and ${judged} were`;
  }
  return ruleContradiction(result, known);
}

/** Whether a result may be certified, or the first reason why not. What is certified is ended, complete, known and of one piece. */
export function checkCertifiable(result: Result, known: Known): Certifiable | { readonly refused: Refusal } {
  const { footer, header } = result;
  if (footer === undefined) {
    return refuse('no-footer', 'the result has no footer: the run was cut off, and there is no outcome');
  }
  const { shard } = header;
  if (shard !== undefined) {
    return refuse('shard', `the result is part ${shard.index} of ${shard.of} of a run: certify the whole`);
  }
  if (footer.interrupted) return refuse('interrupted', 'the run was interrupted: run it to its end');
  const { outcome } = footer;
  if (outcome === 'incomplete') {
    const why = footer.reasons.length === 0 ? '' : `: ${footer.reasons.join('; ')}`;
    return refuse('incomplete', `the run is incomplete${why}. What could not be judged is neither conformant nor not`);
  }
  if (header.clock.kind === 'virtual' && header.target.testCarrier !== true) {
    const message =
      'the clock of the run was virtual, which certifies no production carrier: run in real time, or declare the target a test carrier (test_carrier: true), and the certificate says so';
    return refuse('virtual-clock', message);
  }
  const unknown = suitesRefusal(result, known);
  if (unknown !== undefined) return { refused: unknown };
  const ended: EndedResult = { ...result, footer };
  const wrong = contradiction(ended, known);
  if (wrong !== undefined) return refuse('contradiction', `the result contradicts itself: ${wrong}`);
  return { result: ended, outcome };
}
