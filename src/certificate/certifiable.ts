import type { Result } from '../model/result.ts';
import type { EndedResult } from './make-manifest.ts';
import type { Manifest } from './manifest.ts';

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

/** Whether a result may be certified, or the first reason why not. What is certified is ended, complete and known. */
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
  return { result: { ...result, footer }, outcome };
}
