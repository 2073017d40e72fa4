import process from 'node:process';
import { requireAttestable } from '../../engine/plan/check-attestations.ts';
import { requireKnownSupports } from '../../engine/plan/check-supports.ts';
import { stopOf } from '../../engine/preflight/at-start.ts';
import { preflight, verdictOfNotes } from '../../engine/preflight/preflight.ts';
import type { Note } from '../../engine/preflight/note.ts';
import type { RunOptions } from '../../engine/run-options.ts';
import { toolVersion } from '../../setup/paths.ts';
import { readSuites, readTarget } from '../../setup/read.ts';
import { exitCodes } from '../exit-codes.ts';
import { pageOf } from '../shared/page.ts';
import { renderPreflight } from './describe.ts';
import type { Invocation } from '../shared/invocation.ts';

export interface PreflightFlags {
  readonly target: string;
  readonly suites: readonly string[];
  readonly json: boolean;
}

type Given = Pick<RunOptions, 'suites' | 'target'>;

/** Tries a target out with the means of a run in which no case is selected. */
function tryOut({ suites, target }: Given): Promise<readonly Note[]> {
  return preflight({
    suites,
    selected: { cases: [], invariants: [], rules: new Set() },
    selection: { what: [], level: 'required' },
    target,
    journal: '',
    jobs: 4,
    bail: false,
    progress: () => undefined,
    signal: new AbortController().signal,
    tool: { name: 'carrierspec', version: toolVersion(), node: process.version },
    flags: [],
  });
}

/** The same before a run; the first problem ends it. */
export async function requireReady(given: Given): Promise<void> {
  const problem = (await tryOut(given)).find(({ state }) => state === 'problem');
  if (problem !== undefined) throw stopOf(problem);
}

const codes = { ready: exitCodes.conformant, usage: exitCodes.usage, unreachable: exitCodes.unreachable } as const;

const jsonOf = ({ place, ...note }: Note) => ({
  ...note,
  ...(place === undefined ? {} : { position: place.position }),
});

/** `carrierspec preflight --target FILE`: tries everything out that a run needs, and judges nothing. */
export async function preflightCommand(flags: PreflightFlags, { stdout, env }: Invocation): Promise<number> {
  const suites = await readSuites(flags.suites);
  const target = readTarget(flags.target, env);
  requireAttestable(suites.rules, target);
  requireKnownSupports(suites.cases, target);
  const notes = await tryOut({ suites, target });
  const verdict = verdictOfNotes(notes);
  if (flags.json) stdout.write(`${JSON.stringify({ verdict, checks: notes.map(jsonOf) }, undefined, 2)}\n`);
  else for (const line of renderPreflight(notes, pageOf({ stdout, env }))) stdout.write(`${line}\n`);
  return codes[verdict];
}
