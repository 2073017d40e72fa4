import { pickItem, type Random, repeatByWeight, seededRandom } from '../../lib/covering/random.ts';
import type { JsonObject } from '../../lib/json.ts';
import { type ChainLink, linkSetting, prefixSteps } from '../explore/chains/link.ts';
import { drawWithinRequests, type Probe } from '../explore/exploration.ts';
import { drawSequenceProbe, type SequenceGround } from './sequences.ts';

/** Recurring moments, as templates name them, with their weights. */
const moments = repeatByWeight([
  ['minute', 2],
  ['hour', 4],
  ['day', 5],
  ['03:00', 2],
  ...['leap-day', 'year', 'summer-time', 'winter-time', 'daylight-time', 'standard-time'].map(
    (name) => [name, 1] as const,
  ),
]);
/** Seconds from the start of a case to the moment; below 0, the case starts after it. */
const leads = [2, 2, 5, 20, 60, 240, 1800, 4 * 3600, -2, -3600, -45 * 86_400];
/** Longest lead, in seconds, for which a step waits for the moment; after a longer one, short windows would be over. */
const maxPauseLead = 60;

const isUntimed = (step: JsonObject): boolean => ['at', 'by', 'parallel'].every((key) => step[key] === undefined);

interface Timing {
  readonly words: string;
  readonly at: string;
  readonly lead: number;
}

function drawTiming(random: Random): Timing {
  const moment = pickItem(moments, random) ?? 'hour';
  const lead = pickItem(leads, random) ?? 2;
  return {
    words: `${Math.abs(lead)} s ${lead < 0 ? 'after' : 'before'} the next ${moment}`,
    at: lead < 0 ? `next('${moment}') + ${-lead}s` : `next('${moment}', ${lead + 1}) - ${lead}s`,
    lead,
  };
}

/** Lets the first step begin at the drawn time, and a chosen one wait for the moment; if others take longer, nothing is judged. */
function moveSteps([first, ...others]: readonly JsonObject[], { at, lead }: Timing, paused?: JsonObject) {
  if (first === undefined) return [];
  const begin = typeof first['as'] === 'string' ? first['as'] : 'begin';
  return [
    { ...first, as: begin, ...(isUntimed(first) ? { at } : {}) },
    ...others.map((step) => (step === paused ? { ...step, at: `${begin} + ${lead + 1}s` } : step)),
  ];
}

/** Probe of a listed case at a calendar moment when something else may happen. */
export function momentProbe(link: ChainLink, random: Random): Probe {
  const timing = drawTiming(random);
  const [first = {}, ...others] = link.steps;
  const waits = isUntimed(first) && timing.lead > 0 && timing.lead <= maxPauseLead && random.below(3) > 0;
  const paused = waits ? pickItem(others.filter(isUntimed), random) : undefined;
  const moved = moveSteps(link.steps, timing, paused);
  return {
    kind: 'windows',
    base: `${link.id} at a moment`,
    rules: link.rules,
    title: ([kept]) =>
      kept === true ? `What holds at any time holds ${timing.words}: ${link.id}` : `What holds in ${link.id}`,
    setting: () => linkSetting([link]),
    parts: [timing.words],
    steps: ([kept], prefix) => prefixSteps(kept === true ? moved : link.steps, prefix),
    alone: true,
    requests: link.requests,
  };
}

/** Commands with waits between them, so that the windows of the interface lie across a moment. */
function windowProbe(at: number, random: Random, ground: SequenceGround): Probe {
  const timing = drawTiming(random);
  const probe = drawSequenceProbe(at, { length: 4 + random.below(8), waits: true }, { random, ground });
  return {
    ...probe,
    kind: 'windows',
    title: (kept) => `${probe.title(kept)}, from ${timing.words}`,
    steps: (kept, prefix) => {
      const steps = probe.steps(kept, prefix);
      return steps && moveSteps(steps, timing);
    },
  };
}

/** Listed cases, and commands of the model, around moments of the calendar, as far as the requests go. */
export function windowProbes(
  seed: string,
  requests: number,
  { links, ...ground }: SequenceGround & { readonly links: readonly ChainLink[] },
): readonly Probe[] {
  if (!ground.abilities.wait) return [];
  const random = seededRandom(`${seed} windows`);
  const lasting = links.filter(({ lasts }) => lasts);
  return drawWithinRequests(requests, (at) => {
    const link = at % 2 === 0 ? pickItem(lasting, random) : undefined;
    return link === undefined ? windowProbe(at, random, ground) : momentProbe(link, random);
  });
}
