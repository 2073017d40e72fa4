import type { CaseResult, ResultFooter, ResultHeader } from '../../model/result.ts';

/** Milliseconds since the epoch; both are dates, and in their order. */
export interface Period {
  readonly from: number;
  readonly to: number;
  /** How far moments may be out of their order. */
  readonly slack: number;
}

/** The clock of a machine is set right now and then; a virtual one never goes back. */
const slackOf = { real: 10_000, virtual: 0 } as const;

/** From the beginning of a run to its end, or why it has none. */
export function periodOf(
  { startedAt, clock }: ResultHeader,
  { endedAt }: ResultFooter,
): Period | { readonly wrong: string } {
  const [from, to] = [Date.parse(startedAt), Date.parse(endedAt)];
  if (Number.isNaN(from)) return { wrong: `the run began at ${startedAt}, which is no date` };
  if (Number.isNaN(to)) return { wrong: `the run ended at ${endedAt}, which is no date` };
  if (to < from - slackOf[clock.kind]) return { wrong: `the run ended at ${endedAt}, before it began at ${startedAt}` };
  return { from, to, slack: slackOf[clock.kind] };
}

/** Only in real time is it known how far our receiver was behind, and whether the clock of the carrier is ahead. */
export function clockFlaw({ clock }: ResultHeader, { receiverLag, skew }: ResultFooter): string | undefined {
  if (clock.kind === 'real' && receiverLag === undefined)
    return 'the clock is real, and the footer does not say how far the receiver was behind, as every run in real time does';
  if (clock.kind === 'virtual' && (receiverLag !== undefined || skew !== undefined))
    return `the clock is virtual, and the footer has ${receiverLag === undefined ? 'skew' : 'receiverLag'}, which is measured in real time only`;
  return (clock.kind === 'virtual') === (clock.note !== '')
    ? undefined
    : `the clock is ${clock.kind}, and its note is "${clock.note}"`;
}

const at = (moment: number): string => (Number.isFinite(moment) ? new Date(moment).toISOString() : String(moment));

/** A moment of a case outside of the run, or before what it follows. */
export function momentFlaw(result: CaseResult, run: Period): string | undefined {
  const { id, startedAt, endedAt, messages } = result;
  const what = `the case ${id}`;
  const { slack } = run;
  if (startedAt === 0 && endedAt === 0)
    return messages.length === 0 ? undefined : `${what} did not run, and has ${messages.length} messages`;
  if (endedAt < startedAt - slack) return `${what} ended at ${at(endedAt)}, before it began at ${at(startedAt)}`;
  if (startedAt < run.from - slack || endedAt > run.to + slack)
    return `${what} ran from ${at(startedAt)} to ${at(endedAt)}, outside of the run, which was from ${at(run.from)} to ${at(run.to)}`;
  for (const message of messages) {
    const first = message.kind === 'exchange' ? message.sentAt : message.receivedAt;
    if (message.receivedAt < first - slack)
      return `${what} has the message ${message.id}, answered at ${at(message.receivedAt)}, before it was sent at ${at(first)}`;
    if (first < startedAt - slack || message.receivedAt > endedAt + slack)
      return `${what} has the message ${message.id} of ${at(first)} to ${at(message.receivedAt)}, outside of the case, which was from ${at(startedAt)} to ${at(endedAt)}`;
  }
  return undefined;
}
