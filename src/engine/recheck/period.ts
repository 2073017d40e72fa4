import type { CaseResult, Result, ResultFooter } from '../../model/result.ts';

type Ended = Pick<Result, 'header'> & { readonly footer: ResultFooter };

/** Milliseconds that moments may be out of their order: a real clock is set right now and then; a virtual one never goes back. */
const slackOf = { real: 10_000, virtual: 0 } as const;

/** Beginning and end of a run that are no dates or in no order, and a clock that is not as its kind always is. */
export function* clockFlaws({ header: { startedAt, clock }, footer }: Ended): Iterable<string> {
  const { endedAt, receiverLag, skew } = footer;
  if (Number.isNaN(Date.parse(startedAt))) yield `the run began at ${startedAt}, which is no date`;
  if (Number.isNaN(Date.parse(endedAt))) yield `the run ended at ${endedAt}, which is no date`;
  if (Date.parse(endedAt) < Date.parse(startedAt) - slackOf[clock.kind])
    yield `the run ended at ${endedAt}, before it began at ${startedAt}`;
  // Only in real time a run knows how far our receiver was behind, and whether the clock of the carrier is ahead.
  if (clock.kind === 'real' && receiverLag === undefined)
    yield 'the clock is real, and the footer does not say how far the receiver was behind, as every run in real time does';
  if (clock.kind === 'virtual' && (receiverLag !== undefined || skew !== undefined))
    yield `the clock is virtual, and the footer has ${receiverLag === undefined ? 'skew' : 'receiverLag'}, which is measured in real time only`;
  if ((clock.kind === 'virtual') !== (clock.note !== ''))
    yield `the clock is ${clock.kind}, and its note is "${clock.note}"`;
}

const at = (moment: number): string => (Number.isFinite(moment) ? new Date(moment).toISOString() : String(moment));

/** A moment of a case outside of the run, or before what it follows. */
export function momentFlaw(result: CaseResult, { header, footer }: Ended): string | undefined {
  const { id, startedAt, endedAt, messages } = result;
  const what = `the case ${id}`;
  const [from, to] = [Date.parse(header.startedAt), Date.parse(footer.endedAt)];
  const slack = slackOf[header.clock.kind];
  if (startedAt === 0 && endedAt === 0)
    return messages.length === 0 ? undefined : `${what} did not run, and has ${messages.length} messages`;
  if (endedAt < startedAt - slack) return `${what} ended at ${at(endedAt)}, before it began at ${at(startedAt)}`;
  if (startedAt < from - slack || endedAt > to + slack)
    return `${what} ran from ${at(startedAt)} to ${at(endedAt)}, outside of the run, which was from ${at(from)} to ${at(to)}`;
  for (const message of messages) {
    const first = message.kind === 'exchange' ? message.sentAt : message.receivedAt;
    if (message.receivedAt < first - slack)
      return `${what} has the message ${message.id}, answered at ${at(message.receivedAt)}, before it was sent at ${at(first)}`;
    if (first < startedAt - slack || message.receivedAt > endedAt + slack)
      return `${what} has the message ${message.id} of ${at(first)} to ${at(message.receivedAt)}, outside of the case, which was from ${at(startedAt)} to ${at(endedAt)}`;
  }
  return undefined;
}
