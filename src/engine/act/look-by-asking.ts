import { cardWords } from '../../judge/card-words.ts';
import type { LookObservation, Said } from '../../judge/observation.ts';
import { type Asking, askOperator, sentenceOf } from '../drive/ask-driver.ts';
import { type CaseContext, Unmet } from '../world/case-room.ts';
import { createScope } from '../world/scope.ts';
import type { World } from '../world/world.ts';
import type { Expectation } from '../../suite/expectations/expectation.ts';
import type { Step } from '../../suite/suites.ts';

async function askWhether(expectation: Expectation, asking: Asking, ctx: CaseContext, world: World): Promise<Said> {
  const words = cardWords(expectation, createScope(ctx, world));
  const description = `${sentenceOf(asking, {})}: is it so that ${words}?`;
  const { answer, shown } = await askOperator(asking, { kind: 'holds', description }, ctx, world);
  if (answer.word === 'cannot') throw new Unmet(`the operator cannot tell whether ${words}`);
  return { words, holds: answer.word === 'yes', answer: shown };
}

/** Nothing is expected: what the phone shows is written down. */
async function askWhat(asking: Asking, { record }: Step, ctx: CaseContext, world: World): Promise<void> {
  const wanted = record.map(([name]) => name);
  const what = wanted.length === 0 ? '' : ` (${wanted.join(', ')})`;
  const description = `${sentenceOf(asking, {})}: what does it show${what}?`;
  const { answer } = await askOperator(asking, { kind: 'tell', description }, ctx, world);
  if (answer.word === 'cannot') throw new Unmet('the operator cannot tell what the phone shows');
}

/** What somebody sees who looks at the phone: of each expectation, whether it is so. */
export async function lookByAsking(
  asking: Asking,
  step: Step,
  ctx: CaseContext,
  world: World,
): Promise<Pick<LookObservation, 'said' | 'card'> & { readonly at: number }> {
  const said: Said[] = [];
  if (step.expectations.length === 0) await askWhat(asking, step, ctx, world);
  for (const expectation of step.expectations) said.push(await askWhether(expectation, asking, ctx, world));
  return { card: {}, said, at: world.timeline.now() };
}
