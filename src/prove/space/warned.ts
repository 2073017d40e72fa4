import type { Row } from '../../lib/covering/domain.ts';
import { type Freedom, readFreedoms } from './freedoms.ts';

let read: readonly Freedom[] | undefined;

/** Rules that warn of a carrier of these choices by a decision: it conforms, and another way is better. */
export function warnedBy(choices: Row): ReadonlySet<string> {
  read ??= readFreedoms();
  const chosen = read.flatMap(({ id, choices: all }) => all.filter(({ name }) => choices[id] === name));
  return new Set(chosen.flatMap(({ warns }) => Object.keys(warns)));
}
