import { type Attributes, SpanKind } from '@opentelemetry/api';
import { defined } from '../lib/optional.ts';
import type { Delivery, Exchange } from '../model/exchange.ts';
import { type CaseRef, type InnerEvent, isInner, type ProgressEvent, type StepRef } from '../model/progress.ts';
import { renderRuleRef } from '../model/rule.ts';
import { caseAttributes, deliveryAttributes, errorOf, exchangeAttributes, nameOf } from './attributes.ts';
import type { Exporting } from './exporting.ts';
import { carrierLinks, type OpenSpan, setError, spanIdIn, type Spans } from './spans.ts';

type Open = Map<string, OpenSpan>;

/** The spans of a run that have begun, and what others need. */
export interface Book {
  readonly traceId: string;
  readonly spans: Spans;
  readonly nextId: Exporting['nextId'];
  /** Milliseconds since the epoch of wall time. */
  readonly now: () => number;
  /** Name of the header by which a request says which span it is, in small letters; empty where requests have none. */
  readonly header: string;
  /** How deliveries come: `http` or `https`. */
  readonly scheme: string;
  readonly run: OpenSpan;
  readonly cases: Open;
  readonly steps: Open;
  readonly deliveries: Open;
}

type Event<K extends ProgressEvent['kind']> = Extract<ProgressEvent, { readonly kind: K }>;
type MessageEvent = Event<'message'>;

const keyOf = ({ id, of, step, attempt }: StepRef): string => JSON.stringify([of ?? id, id, attempt ?? '', step]);

function finish({ now }: Pick<Book, 'now'>, open: Open, key: string): void {
  open.get(key)?.span.end(now());
  open.delete(key);
}

/** Ends what has not ended. */
export function finishAll(book: Book): void {
  for (const open of [book.deliveries, book.steps, book.cases])
    for (const key of Array.from(open.keys())) finish(book, open, key);
}

const caseOf = ({ cases, run }: Book, { id, of }: Partial<CaseRef>): OpenSpan => cases.get(of ?? id ?? '') ?? run;

/** The span of the step that a message is of, while that lasts; else that of its case, or the run's. */
function above(book: Book, { id, of, message: { step, attempt } }: MessageEvent): OpenSpan {
  const key = id === undefined || step === undefined ? '' : keyOf({ id, step, ...defined({ of, attempt }) });
  return book.steps.get(key) ?? caseOf(book, defined({ id, of }));
}

/** An exchange is told of when it is over. */
function exchanged(book: Book, event: MessageEvent, exchange: Exchange): void {
  const { spans, now, header, traceId, nextId } = book;
  const spanId = spanIdIn(exchange.request.headers, header, traceId);
  if (spanId !== undefined) nextId(spanId);
  const at = now();
  const open = spans.begin(nameOf(exchange), {
    below: above(book, event).below,
    at: at - event.took,
    kind: SpanKind.CLIENT,
    attributes: { ...exchangeAttributes(exchange), ...caseAttributes(event) },
  });
  if (errorOf(exchange) !== undefined) setError(open);
  open.span.end(at);
}

function came(book: Book, event: MessageEvent, delivery: Delivery): void {
  const { spans, now, scheme, deliveries } = book;
  const open = spans.begin(nameOf(delivery), {
    below: above(book, event).below,
    at: now() - event.took,
    kind: SpanKind.SERVER,
    attributes: { ...deliveryAttributes(delivery, scheme), ...caseAttributes(event) },
    links: carrierLinks(delivery.request.headers),
  });
  deliveries.set(delivery.id, open);
}

interface Beginning {
  readonly name: string;
  readonly above: OpenSpan;
  readonly attributes: Attributes;
}

const begin = ({ spans, now }: Book, { name, above: { below }, attributes }: Beginning): OpenSpan =>
  spans.begin(name, { below, at: now(), attributes });

function stepStarted(book: Book, event: Event<'step-started'>): void {
  const { step, verb, attempt } = event;
  const attributes = {
    ...caseAttributes(event),
    ...defined({ 'carrierspec.step': step, 'carrierspec.verb': verb, 'carrierspec.try': attempt }),
  };
  book.steps.set(keyOf(event), begin(book, { name: step, above: caseOf(book, event), attributes }));
}

function stepFinished(book: Book, event: Event<'step-finished'>): void {
  const key = keyOf(event);
  if (event.unmet === true) book.steps.get(key)?.span.setAttribute('carrierspec.unmet', true);
  finish(book, book.steps, key);
}

function found(book: Book, { id, invariant, finding }: Event<'finding'>): void {
  const attributes = defined({
    'carrierspec.rule': renderRuleRef(finding),
    'carrierspec.level': finding.level,
    'carrierspec.invariant': invariant,
    'carrierspec.message.id': finding.message,
  });
  caseOf(book, { id }).span.addEvent('finding', attributes, book.now());
}

/** A case that did not begin has no span. */
function caseFinished(book: Book, { id, verdict }: Event<'case-finished'>): void {
  const open = book.cases.get(id);
  if (open === undefined) return;
  open.span.setAttribute('carrierspec.verdict', verdict);
  if (verdict === 'fail' || verdict === 'error') setError(open, verdict);
  finish(book, book.cases, id);
}

function followInner(book: Book, event: InnerEvent): void {
  switch (event.kind) {
    case 'case-started':
      book.cases.set(event.id, begin(book, { name: event.id, above: book.run, attributes: caseAttributes(event) }));
      break;
    case 'step-started':
      stepStarted(book, event);
      break;
    case 'step-finished':
      stepFinished(book, event);
      break;
    case 'answered':
      finish(book, book.deliveries, event.message);
      break;
  }
}

/** What one event of a run makes of its spans. */
export function follow(book: Book, event: ProgressEvent): void {
  if (isInner(event)) {
    followInner(book, event);
    return;
  }
  switch (event.kind) {
    case 'started':
      book.run.span.setAttribute('carrierspec.cases', event.cases);
      break;
    case 'message':
      if (event.message.kind === 'exchange') exchanged(book, event, event.message);
      else came(book, event, event.message);
      break;
    case 'finding':
      found(book, event);
      break;
    case 'case-finished':
      caseFinished(book, event);
      break;
    case 'waiting':
    case 'tasks':
    case 'advanced':
    case 'note':
      break;
  }
}
