import { pickItem, type Random, repeatByWeight, seededRandom } from '../../lib/covering/random.ts';
import { groupBy } from '../../lib/lists.ts';
import { defaultLatency, effectiveLatency } from '../../model/declaration.ts';
import { chainProbe, holdFirstCases, interleaveSteps } from '../explore/chains/chains.ts';
import { type ChainLink, stepAction } from '../explore/chains/link.ts';
import { drawWithinRequests, type ExplorationGround, type Probe } from '../explore/exploration.ts';

/** Cases of one registration and one subscriber, which can follow each other. */
type LinkGroup = readonly ChainLink[];

const minGroupLinks = 4;
/** Most request objects of a link in a chain. */
const maxChainLinkRequests = 12;
/** Weight of a case that lasts; a case of single requests has 1. */
const lastingWeight = 8;

/** Whether the link can stand between any other links, many times over. */
const isSteadyLink = ({ changes, instant }: ChainLink): boolean => !changes && instant;

function groupChainLinks(links: readonly ChainLink[]): readonly LinkGroup[] {
  const few = links.filter(({ requests, receiver }) => requests <= maxChainLinkRequests && receiver === undefined);
  return [...groupBy(few, ({ client, subscriber }) => `${client} ${subscriber}`).values()].filter(
    (group) => new Set(group.filter(isSteadyLink)).size >= minGroupLinks,
  );
}

/** Draws links, most of them of one area, because effects matter most to similar cases. */
function drawLinks(from: readonly ChainLink[], count: number, random: Random): readonly ChainLink[] {
  const first = pickItem(from, random);
  if (first === undefined) return [];
  const near = from.filter(({ area }) => area === first.area);
  const others = Array.from(
    { length: count - 1 },
    () => pickItem(random.below(3) === 0 ? from : near, random) ?? first,
  );
  return [first, ...others];
}

const maxSequenceLinks = 9;

/** Most cases of one subscriber at a time, because each may have a pending request. */
function maxOpenLinks({ target }: ExplorationGround): number {
  // While one waits for a late callback, the others' codes, tokens and requests expire.
  const isSlow = effectiveLatency(target).callback > defaultLatency.callback;
  if (isSlow || target.supports['several-pending'] === false) return 1;
  return target.casesPerSubscriber ?? Infinity;
}

function drawSequence(group: LinkGroup, random: Random, open: number): Probe {
  const lasting = group.filter(({ changes }) => !changes);
  const count = 2 + random.below(maxSequenceLinks - 1);
  if (random.below(3) === 0 && open > 1) {
    const links = drawLinks(
      lasting.filter(({ instant }) => instant),
      Math.min(4, count, open),
      random,
    );
    return chainProbe(links, interleaveSteps(links, random));
  }
  const changing = group.filter(({ changes }) => changes);
  const last = random.below(2) === 0 ? pickItem(changing, random) : undefined;
  return chainProbe([...drawLinks(lasting, count, random), ...(last === undefined ? [] : [last])]);
}

/** Repetitions: most memories that are too small have a round number of places, 100 at most. */
const repetitionCounts = [12, 34, 55, 105, 105];
/** Most steps of a chain; the suite language allows 500. */
const maxChainSteps = 480;
/** Most cases that begin before the repetitions, and copies of the repeated case among them. */
const maxHeldLinks = 10;
const heldCopies = 3;

const countChainSteps = (links: readonly ChainLink[]): number =>
  links.reduce((sum, { steps }) => sum + steps.length, 0);

/** Whether a case rotates keys; it is not split, because new signatures are judged when the keys are read again. */
const isKeyRotation = ({ steps }: ChainLink): boolean => steps.some((step) => stepAction(step) === 'rotate-keys');

/** Starts some cases, repeats another many times, then ends them: a small memory loses them in between. */
function drawRepeated(group: LinkGroup, random: Random, open: number): Probe | undefined {
  const able = [...new Set(group.filter((link) => isSteadyLink(link) && !isKeyRotation(link)))];
  const repeated = pickItem(
    able.filter(({ brief }) => brief),
    random,
  );
  if (repeated === undefined) return undefined;
  const others = able.filter((link) => link !== repeated && link.lasts && link.steps.length > 1);
  const near = random.shuffled(others.filter(({ area }) => area === repeated.area));
  const copies = repeated.lasts && repeated.steps.length > 1 ? heldCopies : 0;
  const held = [...Array.from({ length: copies }, () => repeated), ...near, ...random.shuffled(others)].slice(
    0,
    Math.min(maxHeldLinks, open - 1),
  );
  const room = Math.floor((maxChainSteps - countChainSteps(held)) / repeated.steps.length);
  const times = Math.max(2, Math.min(room, pickItem(repetitionCounts, random) ?? 12));
  const links = [...held, ...Array.from({ length: times }, () => repeated)];
  return chainProbe(links, holdFirstCases(links, held.length, random));
}

/** Listed cases one after the other, mixed, and many times over (§3): the rules of one hold in all. */
export function chainedProbes(
  seed: string,
  requests: number,
  ground: ExplorationGround & { readonly links: readonly ChainLink[] },
): readonly (readonly Probe[])[] {
  const links = repeatByWeight(ground.links.map((link) => [link, link.lasts ? lastingWeight : 1]));
  const groups = groupChainLinks(links).toSorted((a, b) => b.length - a.length);
  const [largest] = groups;
  if (largest === undefined) return [];
  const random = seededRandom(`${seed} listed`);
  const group = (): LinkGroup => (random.below(3) === 0 ? pickItem(groups, random) : undefined) ?? largest;
  const open = maxOpenLinks(ground);
  return [
    drawWithinRequests(requests / 2, () => drawSequence(group(), random, open)),
    drawWithinRequests(requests / 2, () => drawRepeated(group(), random, open)),
  ];
}
