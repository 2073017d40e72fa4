import { glob } from '../../engine/plan/select.ts';
import type { Explored } from '../../explore/explore.ts';
import { isAbout, type Kind, kinds, type Probe } from '../../explore/probe.ts';
import type { JsonObject } from '../../lib/json.ts';
import { defined } from '../../lib/optional.ts';
import { CarrierspecError } from '../../model/problem.ts';
import type { Suites } from '../../suite/suites.ts';
import type { exploreDefinition } from '../definitions/certify.ts';
import { exitCodes } from '../exit-codes.ts';
import { hintFor, suggestNames } from '../shared/choose.ts';
import type { Given } from '../shared/command.ts';
import { makeFolder } from '../shared/files.ts';
import { renderFlags } from '../shared/flags.ts';
import { usageError } from '../shared/inputs.ts';
import { type Invocation, pageOf } from '../shared/invocation.ts';
import { type Setup, withCarrier } from '../shared/setup.ts';
import { type ExploredCarrier, exploreCarrier } from './exploring.ts';
import { type Kept, keepExplored, readReached, removeOld, type Way } from './kept.ts';
import { renderExplored } from './render.ts';

type ExploreFlags = Given<typeof exploreDefinition>;

/** `--only members,races`: all kinds without it. */
function kindsOf({ only }: ExploreFlags): readonly Kind[] {
  if (only === undefined) return kinds;
  const wanted = only.split(',').map((one) => one.trim());
  const wrong = wanted.find((one) => !kinds.some((kind) => kind === one));
  if (wrong === '') throw usageError(`--only: name kinds, with commas: ${kinds.join(', ')}`);
  if (wrong !== undefined)
    throw usageError(`--only: there is no kind ${wrong}; ${hintFor(wrong, kinds, `there are ${kinds.join(', ')}`)}`);
  return kinds.filter((kind) => wanted.includes(kind));
}

/** The probes that are about rules of these names; of an area, those of its rules. */
function chooserOf(what: readonly string[], { rules }: Suites): ((probe: Probe) => boolean) | undefined {
  if (what.length === 0) return undefined;
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
  return (probe) => isAbout(probe, chosen);
}

function exitCodeOf({ found, requests, stopped }: Explored, { options }: Setup): number {
  if (found.some(({ finding }) => finding.level === 'required')) return exitCodes['not conformant'];
  if (options.signal.aborted) return exitCodes.interrupted;
  return stopped !== undefined || Object.keys(requests).length === 0 ? exitCodes.incomplete : exitCodes.conformant;
}

/** What makes the probes of an exploration: an exploration that goes on has the same. */
const askedFor = (
  { what, only, strength, requests, pushes, target, fault }: ExploreFlags,
  setup: Setup,
): JsonObject => ({
  what,
  only: only ?? null,
  strength,
  requests,
  pushes: pushes ?? null,
  fault,
  target: target === undefined ? null : setup.target.name,
  suites: setup.suites.digests.suites,
});

/** `carrierspec explore`: requests that no suite lists, and what a carrier that conforms may do with them. 1 where a required rule is broken. */
export async function exploreCommand(flags: ExploreFlags, invocation: Invocation): Promise<number> {
  if (flags.seed?.trim() === '') throw usageError('--seed: it is empty; any other text will do');
  // A mistake in it is told before a carrier is started.
  const wanted = kindsOf(flags);
  makeFolder(flags.out, '--out');
  return withCarrier(flags, invocation, async (setup) => {
    const asked = askedFor(flags, setup);
    const from = flags.resume ? readReached(flags.out, asked, flags.seed) : undefined;
    if (from === undefined) removeOld(flags.out);
    const keep = (explored: ExploredCarrier, way: Way): Kept =>
      keepExplored(explored, { ...way, folder: flags.out, flags: renderFlags({ ...flags, without: [] }) });
    let way: Way = { asked, done: from?.done ?? 0, pushes: from?.pushes ?? {} };
    const { seconds } = flags.budget ?? { seconds: 600 };
    const isChosen = chooserOf(flags.what, setup.suites);
    const embedded = flags.target === undefined ? { faults: flags.fault } : undefined;
    const explored = await exploreCarrier(
      {
        ...flags,
        strength: flags.strength === 3 ? 3 : 2,
        seconds,
        kinds: wanted,
        ...defined({ isChosen, embedded, from }),
        onReached: ({ explored: soFar, done, pushes, ...at }) => {
          way = { ...way, done, pushes };
          keep({ ...soFar, ...at, endedBy: 'cut-off' }, way);
        },
      },
      setup,
      invocation,
    );
    const { findings, json } = keep(explored, way);
    const lines = renderExplored(pageOf(invocation), { ...explored, findings, rules: setup.suites.rules });
    invocation.stdout.write(flags.json ? json : `${lines.join('\n')}\n`);
    return exitCodeOf(explored, setup);
  });
}
