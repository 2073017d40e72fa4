import type { Message, RecordedMessage } from '../../model/exchange.ts';
import type { CaseResult } from '../../model/result.ts';

/** The case whose message this is. */
const caseOf = (message: string): string => message.slice(0, Math.max(0, message.lastIndexOf('#')));

type IsThere = (message: string) => boolean;

function withoutLost<M extends RecordedMessage>(message: M, isThere: IsThere): M {
  if (message.sameAs === undefined || isThere(message.sameAs)) return message;
  const { sameAs: _, ...rest } = message;
  return rest as M;
}

function inMessage(message: Message, isThere: IsThere): Message {
  const request = withoutLost(message.request, isThere);
  if (message.kind === 'delivery') return { ...message, request };
  const response = message.response && withoutLost(message.response, isThere);
  return { ...message, request, ...(response === undefined ? {} : { response }) };
}

/**
 * Where cases of one run stand in place of those of another, an equal body may be gone, or its message be another one: what a
 * body says of it goes. `replaced` are the cases that come from the later run.
 */
export function forgetLostBodies(cases: readonly CaseResult[], replaced: ReadonlySet<string>): readonly CaseResult[] {
  return cases.map((one) => {
    const isThere: IsThere = (message) => replaced.has(caseOf(message)) === replaced.has(one.id);
    return { ...one, messages: one.messages.map((message) => inMessage(message, isThere)) };
  });
}
