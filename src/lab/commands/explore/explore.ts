import { availableParallelism } from 'node:os';
import type { exploreDefinition } from '../../../cli/definitions/certify.ts';
import { exitCodes } from '../../../cli/exit-codes.ts';
import { hintFor, requireNames } from '../../../cli/shared/choose.ts';
import { type CommandInputs, type Invocation, isLive } from '../../../cli/shared/command.ts';
import { makeFolder } from '../../../cli/shared/files.ts';
import { renderFlags } from '../../../cli/shared/flags.ts';
import { usageError } from '../../../cli/shared/inputs.ts';
import { createTerminalPage } from '../../../cli/shared/page.ts';
import { type CommandSetup, withChosenCarrier } from '../../../cli/shared/setup.ts';
import { compileGlob } from '../../../engine/plan/select.ts';
import { serverInitiated } from '../../../interfaces/server-initiated/interface.ts';
import { drawSeed } from '../../../lib/covering/random.ts';
import { type JsonObject, omitUndefined } from '../../../lib/json.ts';
import { countNoun } from '../../../lib/lists.ts';
import type { Suites } from '../../../suite/suites.ts';
import { tamperNames } from '../../../wire/build/tamper.ts';
import { serverInitiatedProbes } from '../../exploration/exploration.ts';
import { createGround, type Probe, type ProbeKind, probeKinds, testsRules } from '../../explore/exploration.ts';
import type { ExplorationResult } from '../../explore/explore.ts';
import { exploreRounds, type RoundsOptions } from '../../explore/rounds.ts';
import { tryCases } from '../../explore/try-cases.ts';
import { openTriers } from '../../prove/explore/trier-threads.ts';
import {
  type CarrierProgress,
  type ResumeState,
  readProgress,
  removeOldFindings,
  requireOwnFindings,
  saveExploration,
} from './exploration-file.ts';
import { type CarrierExploration, renderExploration } from './findings.ts';

type ExploreFlags = CommandInputs<typeof exploreDefinition>;

/** Kinds of `--only values,races`; default: all. */
function parseKinds({ only }: ExploreFlags): readonly ProbeKind[] {
  if (only === undefined) return probeKinds;
  const wanted = only.split(',').map((one) => one.trim());
  const wrong = wanted.find((one) => !probeKinds.some((kind) => kind === one));
  if (wrong === '') throw usageError(`--only: name kinds, with commas: ${probeKinds.join(', ')}`);
  if (wrong !== undefined)
    throw usageError(
      `--only: there is no kind ${wrong}; ${hintFor(wrong, probeKinds, `there are ${probeKinds.join(', ')}`)}`,
    );
  return probeKinds.filter((kind) => wanted.includes(kind));
}

/** Selects the probes about rules of these names or areas; undefined selects all. */
function createProbeFilter(what: readonly string[], { rules }: Suites): ((probe: Probe) => boolean) | undefined {
  if (what.length === 0) return undefined;
  const names = rules.flatMap(({ id, area }) => [id, area]);
  const otherwise = 'carrierspec list has them';
  requireNames(what, names, { nothing: 'no rule and no area is called', otherwise, code: 'nothing-selected' });
  const named = (pattern: string): readonly string[] => {
    const test = compileGlob(pattern);
    return rules.filter(({ id, area }) => test.test(id) || test.test(area)).map(({ id }) => id);
  };
  const chosen = new Set(what.flatMap(named));
  return (probe) => testsRules(probe, chosen);
}

function explorationExitCode({ found, requests, stopped }: ExplorationResult, { options }: CommandSetup): number {
  if (found.some(({ finding }) => finding.level === 'required')) return exitCodes['not conformant'];
  if (options.signal.aborted) return exitCodes.interrupted;
  return stopped !== undefined || Object.keys(requests).length === 0 ? exitCodes.incomplete : exitCodes.conformant;
}

/** Inputs that determine the probes; `--resume` requires the same ones. */
const explorationInputs = (
  { what, only, requests, pushes, target, fault }: ExploreFlags,
  setup: CommandSetup,
): JsonObject => ({
  what,
  only: only ?? null,
  requests,
  pushes: pushes ?? null,
  fault,
  target: target === undefined ? null : setup.target.name,
  suites: setup.suites.digests.suites,
});

/** Shows progress: redrawn on a terminal, else a line each time. */
function createRequestCounter({ stderr, env }: Invocation): {
  readonly on: (sent: number, found: number) => void;
  readonly end: () => void;
} {
  const live = isLive(stderr, env);
  return {
    on: (sent, found) => {
      const words = `${sent.toLocaleString('en')} requests sent, ${countNoun(found, 'finding')}`;
      stderr.write(live ? `\r\u001b[K${words}` : `${words}\n`);
    },
    end: () => {
      if (live) stderr.write('\r\u001b[K');
    },
  };
}

/** Each carrier needs a thread; with more, the thread that judges findings falls behind. */
const maxThreads = 8;

type ProbeRunner = Pick<RoundsOptions, 'attempt' | 'width'> & { readonly close: () => Promise<void> };

/** Opens one reference carrier per core (at most 8), or the single target. */
function openProbeRunner({ target, fault, suites }: ExploreFlags, { options }: CommandSetup): ProbeRunner {
  if (target !== undefined) {
    const attempt: ProbeRunner['attempt'] = (cases) => tryCases(cases, { options, tampers: tamperNames });
    return { attempt, close: () => Promise.resolve() };
  }
  const width = Math.min(maxThreads, availableParallelism());
  return { ...openTriers(width, { suites, faults: fault, signal: options.signal }), width };
}

interface ExplorationPlan {
  readonly flags: ExploreFlags;
  readonly kinds: readonly ProbeKind[];
  readonly from: CarrierProgress | undefined;
  /** Called repeatedly with everything found so far. */
  readonly onReached: (reached: CarrierProgress) => void;
}

async function exploreCarrier(
  { flags, kinds: wanted, from, onReached }: ExplorationPlan,
  setup: CommandSetup,
  invocation: Invocation,
): Promise<CarrierExploration> {
  const { suites, target, options } = setup;
  const { requests, pushes, budget = { seconds: 600 } } = flags;
  const seed = flags.seed ?? from?.seed ?? drawSeed();
  const begun = performance.now();
  const secondsNow = (): number => (performance.now() - begun) / 1000;
  const secondsInAll = (): number => (from?.seconds ?? 0) + secondsNow();
  const counter = createRequestCounter(invocation);
  const isChosen = createProbeFilter(flags.what, suites);
  invocation.stderr.write(`seed ${seed}\n`);
  let endedBy: CarrierExploration['endedBy'];
  const { close, ...trying } = openProbeRunner(flags, setup);
  try {
    const explored = await exploreRounds({
      ...trying,
      ground: createGround({ suites, target }, serverInitiated),
      probesOf: serverInitiatedProbes,
      seed,
      kinds: wanted,
      requests,
      ...omitUndefined({ isChosen, pushes, from }),
      goOn: () => {
        if (options.signal.aborted) endedBy = 'interrupted';
        else if (secondsNow() >= budget.seconds) endedBy = 'budget';
        return endedBy === undefined;
      },
      signal: options.signal,
      onProgress: counter.on,
      onReached: (reached) => onReached({ ...reached, seed, seconds: secondsInAll() }),
    });
    counter.end();
    return { ...explored, seed, seconds: secondsInAll(), ...omitUndefined({ endedBy }) };
  } finally {
    await close();
  }
}

/** `carrierspec explore`: tries requests that no suite lists and judges the carrier's reactions. Returns 1 if a required rule is broken. */
export async function exploreCommand(flags: ExploreFlags, invocation: Invocation): Promise<number> {
  if (flags.seed?.trim() === '') throw usageError('--seed: it is empty; any other text will do');
  // Reports a bad --only before starting a carrier.
  const wanted = parseKinds(flags);
  makeFolder(flags.out, '--out');
  requireOwnFindings(flags.out);
  return withChosenCarrier(flags, invocation, async (setup) => {
    const asked = explorationInputs(flags, setup);
    const from = flags.resume ? readProgress(flags.out, asked, flags.seed) : undefined;
    if (from === undefined) removeOldFindings(flags.out);
    let way: ResumeState = { asked, done: from?.done ?? 0, pushes: from?.pushes ?? {} };
    const keep = (explored: CarrierExploration) =>
      saveExploration(explored, { ...way, folder: flags.out, flags: renderFlags(flags) });
    const onReached = ({ explored, done, pushes, ...at }: CarrierProgress): void => {
      way = { ...way, done, pushes };
      keep({ ...explored, ...at, endedBy: 'cut-off' });
    };
    const explored = await exploreCarrier({ flags, kinds: wanted, from, onReached }, setup, invocation);
    const { findings, json } = keep(explored);
    const lines = renderExploration(createTerminalPage(invocation), {
      ...explored,
      findings,
      rules: setup.suites.rules,
    });
    invocation.stdout.write(flags.json ? json : `${lines.join('\n')}\n`);
    return explorationExitCode(explored, setup);
  });
}
