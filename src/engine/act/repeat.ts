import type { ResponseObservation, Observation } from '../../judge/observation.ts';
import { waitFor } from './act-await.ts';
import { drive } from '../drive/drive.ts';
import { type CaseContext, Unmet } from '../world/case-room.ts';
import type { World } from '../world/world.ts';
import type { Step } from '../../suite/suites.ts';

/** A step's exchange as often as it says, one after the other or all at once; what is seen is the last, with all of them. */
export async function repeat({ times = 1, together }: Step, perform: () => Promise<Observation>): Promise<Observation> {
  const all: Observation[] = [];
  if (together === true) all.push(...(await Promise.all(Array.from({ length: times }, perform))));
  else for (let time = 0; time < times; time += 1) all.push(await perform());
  const last = all.at(-1);
  if (last === undefined) throw new TypeError('a step is done at least once');
  const responses = all.filter((observation) => observation.kind === 'response');
  if (last.kind !== 'response') return last;
  return { ...last, samples: responses.map(({ took }) => took), repetitions: responses };
}

export const mayBeDropped = ({ expectations }: Pick<Step, 'expectations'>): boolean =>
  expectations.some(({ outcome }) => outcome === 'denied-or-dropped' || outcome === 'at-most-one');

/**
 * A21: an accepted request may have been dropped. It was, if nobody can approve it, or approving brings no tokens. Of
 * repetitions every one that was accepted is approved.
 */
export async function probeDrop(
  observation: ResponseObservation,
  step: Step,
  ctx: CaseContext,
  world: World,
): Promise<ResponseObservation> {
  const driver = world.target.drivers['approve'];
  if (driver === undefined) {
    throw new Unmet(`${observation.summary}; whether it was dropped cannot be seen without a driver for approve`);
  }
  const accepted = (observation.repetitions ?? [observation]).filter(({ outcome }) => outcome === 'accepted');
  for (const one of accepted) {
    ctx.traces.set(step.name, one);
    await drive({ action: 'approve', driver, of: step.name, given: {} }, step.name, ctx, world);
  }
  const until = world.timeline.now() + world.target.deliveryTimeout * 1000;
  const inboxes = ctx.inboxes.filter((one) => one.step === step.name).slice(-(observation.repetitions?.length ?? 1));
  const count = (): number => inboxes.filter(({ deliveries }) => deliveries.some(({ tokens }) => tokens)).length;
  await waitFor(inboxes, until, () => count() >= accepted.length, { ctx, world });
  const completed = count();
  const words = completed === 0 ? '' : completed === 1 ? ', and tokens came' : `, and tokens came ${completed} times`;
  return { ...observation, dropped: completed === 0, completed, summary: `${observation.summary}${words}` };
}
