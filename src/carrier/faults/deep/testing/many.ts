import { authorizeAs } from '../../../testing/calls.ts';
import type { Answer, Setup } from '../../../testing/setup.ts';
import { act, idOf } from './sequences.ts';

export const users = ['second', 'third', 'fourth', 'proofed', 'self-declared', 'credit-checked', 'unchecked-owner'];

/** So many accepted requests, one user after the other. */
export async function openings(setup: Setup, count: number, more = {}): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let at = 0; at < count; at++) {
    const subscriber = users[at % users.length] ?? 'second';
    answers.push(await authorizeAs(setup, { subscriber, more }));
  }
  return answers;
}

export const accepted = (answers: readonly Answer[]): number => answers.filter(({ status }) => status === 200).length;

export async function denials(setup: Setup, count: number): Promise<void> {
  for (const answer of await openings(setup, count)) await act(setup, idOf(answer), 'deny');
}
