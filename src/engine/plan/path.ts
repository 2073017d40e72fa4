import type { Want } from '../clock/wait-queue.ts';
import type { Booked } from './schedule.ts';

/** What a case waited for: a case that gave back what both could not have at once at the moment it began, else one that gave back a place of its subscriber. */
function waitedFor(
  { begins, wants, planned }: Booked,
  booked: readonly Booked[],
  passed: ReadonlySet<Booked>,
): Booked | undefined {
  if (begins === 0) return undefined;
  const excludes = ({ lock, exclusive }: Want): boolean =>
    wants.some((own) => own.lock === lock && (own.exclusive || exclusive));
  const { name } = planned.assignment.subscriber;
  const before = booked.filter((one) => !passed.has(one)).toSorted((a, b) => a.begins - b.begins || a.index - b.index);
  return (
    before.find(({ leaves, wants: others }) => leaves === begins && others.some(excludes)) ??
    before.find(({ ends, planned: other }) => ends === begins && other.assignment.subscriber.name === name)
  );
}

/** From the case that ends last, back over those whose locks each waited for. */
export function pathOf(booked: readonly Booked[]): readonly Booked[] {
  const path = new Set<Booked>();
  let next = booked.toSorted((a, b) => b.ends - a.ends || a.index - b.index)[0];
  while (next !== undefined) {
    path.add(next);
    next = waitedFor(next, booked, path);
  }
  const forward = [...path].toReversed();
  // What takes no time only handed on what others waited for.
  return forward.filter(({ begins, ends }, at) => (forward[at + 1]?.begins ?? ends) > begins);
}
