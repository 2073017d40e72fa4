import type { Result } from '../model/result.ts';
import { isConclusive, type Verdict } from '../model/verdict.ts';
import { countAll, type EndedResult } from './make-manifest.ts';
import type { Manifest } from './manifest.ts';

/** Why a result is not certified. */
type RefusalCode =
  | 'no-footer'
  | 'run-interrupted'
  | 'incomplete'
  | 'shard'
  | 'virtual-clock'
  | 'other-version'
  | 'other-program'
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
  /** Of the program itself. */
  readonly digest: string;
  readonly digests: { readonly rules: string; readonly suites: string };
  readonly additions: readonly string[];
  readonly rules: readonly string[];
}

export type Certifiable = { readonly result: EndedResult; readonly outcome: Manifest['outcome'] };

const refuse = (code: RefusalCode, message: string): { readonly refused: Refusal } => ({ refused: { code, message } });

/** The rules are judged again as the program that ran judges them. */
function programRefusal({ header: { tool } }: Result, { version, digest }: Known): Refusal | undefined {
  if (tool.version !== version) {
    const message = `the run was made by carrierspec ${tool.version}, and this is ${version}: certify with the version that ran`;
    return { code: 'other-version', message };
  }
  if (tool.digest === digest) return undefined;
  const message = `the run was made by another program of version ${version}: its digest is ${tool.digest}, and here it is ${digest}. Certify with the one that ran, or run again with this one`;
  return { code: 'other-program', message };
}

function suitesRefusal({ header }: Result, { digests, additions }: Known): Refusal | undefined {
  const { suites } = header;
  if (suites.rules === digests.rules && suites.suites === digests.suites) return undefined;
  if (additions.length === 0) {
    const message =
      'the run used rules or suites that do not ship with this carrierspec: name each further folder with --suites, as the run did, and the certificate says that it was added';
    return { code: 'unknown-suites', message };
  }
  const message = `the run used other rules or suites than those that ship and ${additions.join(', ')}: name the very folders of the run`;
  return { code: 'unknown-addition', message };
}

/** Whether the counts and the outcome of the footer follow from the verdicts of rules. */
function countContradiction({ footer, rules }: EndedResult, verdicts: readonly Verdict[]): string | undefined {
  const counts = countAll(verdicts);
  const written = new Map(Object.entries(footer.counts));
  for (const [verdict, count] of Object.entries(counts)) {
    const counted = written.get(verdict) ?? 0;
    if (counted !== count) return `its footer counts ${counted} rules ${verdict}, and ${count} are there`;
  }
  const failed = rules.filter(({ verdict, apart }) => verdict === 'fail' && apart !== true).length;
  if ((footer.outcome === 'not conformant') === failed > 0) return undefined;
  return `its outcome is ${footer.outcome}, and ${failed} of the rules that count for it have failed`;
}

/** Why a result does not follow from itself: it was edited by hand. */
function contradiction(result: EndedResult, { rules: known }: Known): string | undefined {
  const { header, footer, rules } = result;
  const verdicts = rules.map(({ verdict }) => verdict);
  const wrong = countContradiction(result, verdicts);
  if (wrong !== undefined) return wrong;
  const ids = new Set(rules.map(({ id }) => id));
  if (ids.size !== rules.length) return 'it has a verdict of the same rule twice';
  const [counted, judged] = [footer.score.all.judged, verdicts.filter(isConclusive).length];
  if (counted !== judged) return `its score says that ${counted} rules were judged, and ${judged} were`;
  const foreign = rules.find(({ id }) => !known.includes(id));
  if (foreign !== undefined) return `it has a verdict of ${foreign.id}, and its suites have no such rule`;
  const { selection, flags } = header;
  const whole = selection.length === 0 && !flags.includes('--without');
  const missing = whole ? known.find((id) => !ids.has(id)) : undefined;
  return missing === undefined ? undefined : `everything was selected, and it has no verdict of ${missing}`;
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
  if (footer.interrupted) return refuse('run-interrupted', 'the run was interrupted: run it to its end');
  const { outcome } = footer;
  if (outcome === 'incomplete') {
    const why = footer.reasons.length === 0 ? '' : `: ${footer.reasons.join('; ')}`;
    return refuse('incomplete', `the run is incomplete${why}. What could not be judged is neither conformant nor not`);
  }
  if (outcome === 'not judged') {
    return refuse('incomplete', 'no required rule was judged, so there is nothing to certify: select more');
  }
  if (header.clock.kind === 'virtual' && header.target.testCarrier !== true) {
    const message =
      'the clock of the run was virtual, which certifies no production carrier: run in real time, or declare the target a test carrier (test_carrier: true), and the certificate says so';
    return refuse('virtual-clock', message);
  }
  const unknown = programRefusal(result, known) ?? suitesRefusal(result, known);
  if (unknown !== undefined) return { refused: unknown };
  const ended: EndedResult = { ...result, footer };
  const wrong = contradiction(ended, known);
  if (wrong !== undefined) return refuse('contradiction', `the result contradicts itself: ${wrong}`);
  return { result: ended, outcome };
}
