import type { Message } from '../../model/exchange.ts';
import type { CaseResult, Result } from '../../model/result.ts';
import { timeOf } from '../shared/time.ts';
import { deliveryEntry, exchangeEntry, isoOf } from './entry.ts';
import { forJson, renderJsonLines } from '../shared/sanitize.ts';

const unsolicitedPage = 'unsolicited';

/** A case is what HAR calls a page: viewers group by it. */
function pageOf({ id, title, startedAt, verdict }: CaseResult) {
  return {
    startedDateTime: isoOf(startedAt),
    id,
    title: `${id}: ${title}`,
    pageTimings: { onContentLoad: -1, onLoad: -1 },
    _verdict: verdict,
  };
}

function entryOf(message: Message, page: { readonly id: string; readonly known: boolean }) {
  const entry = message.kind === 'exchange' ? exchangeEntry(message) : deliveryEntry(message);
  return { pageref: page.id, ...entry, ...(page.known ? { _case: page.id } : { _unsolicited: true }) };
}

function* pagesOf({ cases, unsolicited }: Result): Iterable<unknown> {
  for (const ended of cases) if (ended.messages.length > 0) yield pageOf(ended);
  const [first] = unsolicited;
  if (first === undefined) return;
  const startedDateTime = isoOf(first.receivedAt);
  const title = 'Deliveries that no case asked for';
  yield { startedDateTime, id: unsolicitedPage, title, pageTimings: { onContentLoad: -1, onLoad: -1 } };
}

function* entriesOf({ cases, unsolicited }: Result): Iterable<unknown> {
  for (const { id, messages } of cases) {
    const inOrder = messages.toSorted((one, other) => timeOf(one) - timeOf(other));
    for (const message of inOrder) yield entryOf(message, { id, known: true });
  }
  for (const delivery of unsolicited) yield entryOf(delivery, { id: unsolicitedPage, known: false });
}

/**
 * Every exchange and delivery as HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/), in chunks no larger than a
 * case. The entries stand case by case, each case's in order of time; secrets were taken out when they were recorded.
 */
export function* renderHar(result: Result): Iterable<string> {
  const { tool, run, target, clock } = result.header;
  yield '{\n"log":{\n"version":"1.2",\n';
  yield `"creator":${forJson({ name: tool.name, version: tool.version })},\n`;
  yield `"comment":${forJson(`run ${run} against ${target.name}, clock ${clock.kind}; secrets are taken out`)},\n`;
  if (result.footer === undefined) yield '"_interrupted":true,\n';
  // When the receiver was closed, and by how much it was late: what is not among the entries may have come then.
  if (result.footer?.gaps !== undefined) yield `"_gaps":${forJson(result.footer.gaps)},\n`;
  if (result.footer?.receiverLag !== undefined) yield `"_receiverLag":${forJson(result.footer.receiverLag)},\n`;
  yield '"pages":[';
  yield* renderJsonLines(pagesOf(result));
  yield '],\n"entries":[';
  yield* renderJsonLines(entriesOf(result));
  yield ']\n}\n}\n';
}
