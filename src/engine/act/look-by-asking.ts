import { cardWords } from '../../judge/card-words.ts';
import type { LookSeen, Said } from '../../judge/observation.ts';
import type { Expectation, Step } from '../../model/suite.ts';
import { type Asking, askOperator, sentenceOf } from '../drive/ask-driver.ts';
import { type CaseRoom, Unmet } from '../world/case-room.ts';
import { createScope } from '../world/scope.ts';
import type { World } from '../world/world.ts';

async function askWhether(expectation: Expectation, asking: Asking, room: CaseRoom, world: World): Promise<Said> {
  const words = cardWords(expectation, createScope(room, world));
  const says = `${sentenceOf(asking, {})}: is it so that ${words}?`;
  const { answer, shown } = await askOperator(asking, { kind: 'holds', says }, room, world);
  if (answer.word === 'cannot') throw new Unmet(`the operator cannot tell whether ${words}`);
  return { words, holds: answer.word === 'yes', answer: shown };
}

/** Nothing is expected: what the phone shows is written down. */
async function askWhat(asking: Asking, { record }: Step, room: CaseRoom, world: World): Promise<void> {
  const wanted = record.map(([name]) => name);
  const what = wanted.length === 0 ? '' : ` (${wanted.join(', ')})`;
  const says = `${sentenceOf(asking, {})}: what does it show${what}?`;
  const { answer } = await askOperator(asking, { kind: 'tell', says }, room, world);
  if (answer.word === 'cannot') throw new Unmet('the operator cannot tell what the phone shows');
}

/** What somebody sees who looks at the phone: of each expectation, whether it is so. */
export async function lookByAsking(
  asking: Asking,
  step: Step,
  room: CaseRoom,
  world: World,
): Promise<Pick<LookSeen, 'said' | 'card'> & { readonly at: number }> {
  const said: Said[] = [];
  if (step.expectations.length === 0) await askWhat(asking, step, room, world);
  for (const expectation of step.expectations) said.push(await askWhether(expectation, asking, room, world));
  return { card: {}, said, at: world.timeline.now() };
}
