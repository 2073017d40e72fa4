import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { glob } from '../../engine/plan/select.ts';
import { groundOf } from '../../explore/exploration.ts';
import type { Explored } from '../../explore/explore.ts';
import { type Kind, kinds, type Probe } from '../../explore/probe.ts';
import { tryCases } from '../../explore/try-cases.ts';
import { serverInitiatedProbes } from '../../interfaces/server-initiated/exploration/exploration.ts';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { CarrierspecError } from '../../model/problem.ts';
import { readWritten } from '../../setup/read.ts';
import { forJson } from '../../report/shared/sanitize.ts';
import type { Suites } from '../../suite/suites.ts';
import { tamperNames } from '../../wire/build/tamper.ts';
import { exitCodes } from '../exit-codes.ts';
import type { exploreDefinition } from '../definitions.ts';
import { hintFor, suggestNames } from '../shared/choose.ts';
import type { Given } from '../shared/command.ts';
import { makeFolder } from '../shared/files.ts';
import { usageError } from '../shared/inputs.ts';
import { type Invocation, isLive, pageOf } from '../shared/invocation.ts';
import { type Setup, withCarrier } from '../shared/setup.ts';
import { renderExplored } from './render.ts';
import { exploreRounds } from './rounds.ts';
import { writeFindings, type WrittenFinding } from './write.ts';

type ExploreFlags = Given<typeof exploreDefinition>;

interface ExploredCarrier extends Explored {
  readonly seed: string;
  readonly seconds: number;
}

/** `--only members,races`: all kinds without it. */
function kindsOf({ only }: ExploreFlags): readonly Kind[] {
  if (only === undefined) return kinds;
  const wanted = only.split(',').map((one) => one.trim());
  const wrong = wanted.find((one) => !kinds.some((kind) => kind === one));
  if (wrong !== undefined)
    throw usageError(`--only: there is no kind ${wrong}; ${hintFor(wrong, kinds, `there are ${kinds.join(', ')}`)}`);
  return kinds.filter((kind) => wanted.includes(kind));
}

/** The probes that are about rules of these names; of an area, those of its rules. */
function chooserOf(what: readonly string[], { rules }: Suites): (probe: Probe) => boolean {
  if (what.length === 0) return () => true;
  const named = (pattern: string): readonly string[] => {
    const test = glob(pattern);
    return rules.filter(({ id, area }) => test.test(id) || test.test(area)).map(({ id }) => id);
  };
  for (const pattern of what) {
    if (named(pattern).length > 0) continue;
    const near = suggestNames(
      pattern,
      rules.flatMap(({ id, area }) => [id, area]),
    );
    const hint = near.length === 0 ? 'carrierspec list has them' : `did you mean ${near.join(' or ')}?`;
    throw new CarrierspecError(`no rule and no area is called ${pattern}; ${hint}`, { code: 'nothing-selected' });
  }
  const chosen = new Set(what.flatMap(named));
  return (probe) => probe.rules.some((rule) => chosen.has(rule.split('#')[0] ?? rule));
}

const anySeed = (): string => String(randomInt(1, 1_000_000));

/** How far it is: redrawn in place on a terminal, else a line at a time. */
function createCounter({ stderr, env }: Invocation): {
  readonly on: (sent: number, found: number) => void;
  readonly end: () => void;
} {
  const live = isLive(stderr, env);
  return {
    on: (sent, found) => {
      const words = `${sent.toLocaleString('en')} requests sent, ${found} findings`;
      stderr.write(live ? `\r\u001b[K${words}` : `${words}\n`);
    },
    end: () => {
      if (live) stderr.write('\r\u001b[K');
    },
  };
}

async function exploreCarrier(
  { flags, wanted }: { readonly flags: ExploreFlags; readonly wanted: readonly Kind[] },
  { suites, target, options }: Setup,
  invocation: Invocation,
): Promise<ExploredCarrier> {
  const seed = flags.seed ?? anySeed();
  const begun = performance.now();
  const { seconds } = flags.budget ?? { seconds: 600 };
  const counter = createCounter(invocation);
  invocation.stderr.write(`seed ${seed}\n`);
  const explored = await exploreRounds({
    ground: groundOf({ suites, written: await readWritten(flags.suites), target }, serverInitiated),
    probesOf: serverInitiatedProbes,
    seed,
    strength: flags.strength === 3 ? 3 : 2,
    kinds: wanted,
    requests: flags.requests,
    isChosen: chooserOf(flags.what, suites),
    attempt: (cases) => tryCases(cases, { options, tampers: tamperNames }),
    goOn: () => !options.signal.aborted && (performance.now() - begun) / 1000 < seconds,
    onProgress: counter.on,
  });
  counter.end();
  return { ...explored, seed, seconds: (performance.now() - begun) / 1000 };
}

function exitCodeOf({ found, requests, stopped }: Explored, { options }: Setup): number {
  if (found.some(({ finding }) => finding.level === 'required')) return exitCodes['not conformant'];
  if (options.signal.aborted) return exitCodes.interrupted;
  return stopped !== undefined || Object.keys(requests).length === 0 ? exitCodes.incomplete : exitCodes.conformant;
}

/** The findings with their files in place of the findings alone. */
function toJson(explored: ExploredCarrier, findings: readonly WrittenFinding[]): unknown {
  const { seed, seconds, requests, unjudged, unconfirmed, stopped = null } = explored;
  return {
    format: 'carrierspec-explore',
    version: 1,
    seed,
    seconds,
    requests,
    unjudged,
    unconfirmed,
    stopped,
    findings: findings.map(({ found, ...written }) => ({ ...written, ...found })),
  };
}

/** `carrierspec explore`: requests that no suite lists, and what a carrier that conforms may do with them. 1 where a required rule is broken. */
export async function exploreCommand(flags: ExploreFlags, invocation: Invocation): Promise<number> {
  // A mistake in it is told before a carrier is started.
  const wanted = kindsOf(flags);
  makeFolder(flags.out, '--out');
  return withCarrier(flags, invocation, async (setup) => {
    const explored = await exploreCarrier({ flags, wanted }, setup, invocation);
    const findings = writeFindings(explored.found, { folder: flags.out, seed: explored.seed });
    const json = `${forJson(toJson(explored, findings))}\n`;
    writeFileSync(join(flags.out, 'explore.json'), json);
    const lines = renderExplored(pageOf(invocation), { ...explored, findings, rules: setup.suites.rules });
    invocation.stdout.write(flags.json ? json : `${lines.join('\n')}\n`);
    return exitCodeOf(explored, setup);
  });
}
