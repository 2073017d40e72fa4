import type { JsonObject } from '../../lib/json.ts';
import { quoteWord } from '../../lib/shell.ts';
import {
  describeNoResponse,
  type Delivery,
  type Exchange,
  isDriverCall,
  type Message,
  type NamedDifference,
  type RecordedMessage,
} from '../../model/exchange.ts';
import type { Finding } from '../../model/finding.ts';
import { selectRunFlags, withoutFlag } from '../../model/flags.ts';
import { actWords } from '../../model/person-act.ts';
import { type CaseResult, type Confirmation, type FindingContext, reproducingSelection } from '../../model/result.ts';
import { renderPosition } from '../../model/rule.ts';
import { isAcceptedExchange } from '../../verdict/response-class.ts';
import { renderFinding, renderPath } from './prose.ts';
import { cutText, showValue } from './sanitize.ts';
import { messageTime } from './time.ts';

export type FindingView = FindingContext;

/** One labelled line of evidence, not sanitized yet. */
export interface EvidenceLine {
  readonly label: string;
  readonly text: string;
  /** It is copied or clicked, so it stays on one line. */
  readonly whole?: true;
}

/** Maximum characters of a body and of a difference. */
const bodyLimit = 400;
const differenceLimit = 160;
/** Maximum number of header lines. */
const maxHeaderLines = 8;

/** Command that runs cases again. The result may come from a stranger, so no name in it can become a flag. */
export function renderCommand(what: string | readonly string[], flags: readonly string[] = []): string {
  const names = [what].flat();
  const words = names.some((name) => name.startsWith('-'))
    ? [...selectRunFlags(flags), '--', ...names]
    : [...names, ...selectRunFlags(flags)];
  return ['carrierspec', 'run', ...words.map(quoteWord)].join(' ');
}

/** Flags for `carrierspec send` against the same carrier, shell-quoted; it judges nothing, so some flags of a run are dropped. */
export const renderSendFlags = (flags: readonly string[]): string =>
  ['--without', '--profile', '--order'].reduce(withoutFlag, selectRunFlags(flags)).map(quoteWord).join(' ');

/** Command that sends the request behind a finding alone, freshly signed; with `--curl` it prints it for curl. */
function renderSendCommand(view: FindingView, flags: readonly string[]): readonly EvidenceLine[] {
  const { seenIn, invariant } = view;
  const request = findingMessage(view);
  // A single request does not reproduce a callback, an event or the whole run.
  if (request?.kind !== 'exchange' || invariant?.on === 'run' || seenIn === undefined) return [];
  if (request.step === '' || isDriverCall(request)) return [];
  const words = ['--from', seenIn.id, '--step', request.step].map(quoteWord);
  const text = ['carrierspec send', ...words, renderSendFlags(flags)].join(' ').trimEnd();
  return [{ label: 'send alone', text, whole: true }];
}

const timeClaims = new Set(['claims.iat', 'claims.exp', 'claims.nbf']);

/** Distance of an epoch time from the moment of sending, because epoch seconds are unreadable. */
function sendingOffset({ what, value }: NamedDifference, sentAt: number): string {
  if (!timeClaims.has(what) || typeof value !== 'number' || !Number.isFinite(value)) return '';
  const seconds = Math.round(value - sentAt / 1000);
  return ` (${Math.abs(seconds)} s ${seconds < 0 ? 'before' : 'after'} it was sent)`;
}

function renderDifference(difference: NamedDifference, sentAt: number): string {
  const { what, change, value } = difference;
  const json = value === undefined ? '' : showValue(value, differenceLimit);
  const forms: Readonly<Record<NamedDifference['change'], string>> = {
    set: `${what} = ${json}${sendingOffset(difference, sentAt)}`,
    removed: `${what} removed`,
    raw: `${what} = ${typeof value === 'string' ? cutText(value, differenceLimit) : json} (raw JSON text)`,
    altered: typeof value === 'string' ? `${what}: ${cutText(value, differenceLimit)}` : `${what} altered`,
  };
  return forms[change];
}

/** Differences of a request object from the valid one; for a message without either, its method and address. */
export function renderDifferences({ differences, sentAt, method, url, object }: Exchange): string {
  if (differences.length === 0) {
    return object === undefined ? `${method} ${cutText(url, bodyLimit)}` : 'the valid request, nothing different';
  }
  return differences.map((difference) => renderDifference(difference, sentAt)).join('; ');
}

/** Header fields that are always shown: where a response leads, when to retry, and how to authenticate. */
const usualHeaders: readonly string[] = ['location', 'retry-after', 'www-authenticate'];

/** Header fields that a finding is about: those its expectation read, and the one in its path. */
function findingHeaders({ headers = [], path = '' }: Pick<Finding, 'headers' | 'path'>): readonly string[] {
  const [, named] = /(?:^|\.)headers\.([^.]+)/.exec(path) ?? [];
  return named === undefined ? headers : [...headers, named];
}

/** The named header lines, in the order received. */
function renderHeaders({ headers }: RecordedMessage, names: readonly string[]): string {
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  return headers
    .filter(([name]) => wanted.has(name.toLowerCase()))
    .slice(0, maxHeaderLines)
    .map(([name, value]) => ` ${cutText(name, differenceLimit)}: ${cutText(value, bodyLimit)};`)
    .join('');
}

function renderResponse({ response, noResponse }: Exchange, names: readonly string[]): string {
  if (response !== undefined) {
    const headers = renderHeaders(response, [...usualHeaders, ...names]);
    return `HTTP ${response.status}${headers} ${cutText(response.body, bodyLimit)}`.trimEnd();
  }
  return noResponse === undefined ? 'no response' : describeNoResponse(noResponse);
}

/** Renders a response or a delivery, with the header fields of interest and those named. */
export const renderReceived = (message: Message, headers: readonly string[] = []): string =>
  message.kind === 'exchange' ? renderResponse(message, headers) : renderDelivery(message, headers);

/** Whether a delivery is a signed token that has an event. */
export const isEvent = ({ idToken }: Delivery): boolean => idToken?.claims['events'] !== undefined;

/** Request line, named header fields and body of a delivery, cut to length. */
export function renderDelivery(delivery: Delivery, headers: readonly string[] = []): string {
  const { method, target, request, idToken } = delivery;
  const fields = renderHeaders(request, headers);
  const body = isEvent(delivery) ? `a token with ${JSON.stringify(eventFirst(idToken?.claims ?? {}))}` : request.body;
  return `${method} ${cutText(target, bodyLimit)}${fields} ${cutText(body, bodyLimit)}`.trimEnd();
}

/** Claims of an event token, which are public: its subject and the event first. */
function eventFirst(claims: JsonObject): JsonObject {
  const first = ['sub', 'events'].filter((name) => claims[name] !== undefined);
  return Object.fromEntries([...first, ...Object.keys(claims)].map((name) => [name, claims[name] ?? null]));
}

/** Message that a finding names, or the last one of its step. */
export function findingMessage({ finding, seenIn }: FindingView): Message | undefined {
  if (finding.message !== undefined) return seenIn?.messages.find(({ id }) => id === finding.message);
  return finding.step === undefined ? undefined : seenIn?.messages.findLast(({ step }) => step === finding.step);
}

/** Request that led to a message: itself, or the exchange of a delivery's step. */
function requestBehind(message: Message, { messages }: CaseResult): Exchange | undefined {
  if (message.kind === 'exchange') return message;
  return messages.find((other): other is Exchange => other.kind === 'exchange' && other.step === message.step);
}

/** Request that led to the message of a finding. */
export function findingRequest(view: FindingView): Exchange | undefined {
  const message = findingMessage(view);
  return message === undefined || view.seenIn === undefined ? undefined : requestBehind(message, view.seenIn);
}

/** Most exchanges shown before a delivery that did not come. */
const maxBefore = 6;

/** Exchanges of a case that a missing delivery may rest on: `older: request, 200; step9: approve, 409`. */
function sentBefore({ messages }: CaseResult): readonly EvidenceLine[] {
  const sent = messages
    .filter((one): one is Exchange => one.kind === 'exchange' && one.attempt === undefined && !one.step.includes(' '))
    .map(({ step, purpose, response, noResponse }) => {
      const what = purpose.replace(/^driver /, '');
      return `${step}: ${what}, ${response?.status ?? noResponse?.reason ?? 'no response'}`;
    });
  return sent.length === 0 ? [] : [{ label: 'before', text: sent.slice(-maxBefore).join('; ') }];
}

function messageFacts(view: FindingView): readonly EvidenceLine[] {
  const { finding, seenIn } = view;
  const message = findingMessage(view);
  if (seenIn === undefined) return [];
  if (message === undefined) return sentBefore(seenIn);
  const request = requestBehind(message, seenIn);
  const seconds = ((messageTime(message) - seenIn.startedAt) / 1000).toFixed(3);
  const step = finding.step ?? message.step;
  return [
    ...(request === undefined ? [] : [{ label: 'sent', text: renderDifferences(request) }]),
    { label: 'came back', text: renderReceived(message, findingHeaders(finding)) },
    {
      label: 'when',
      text: `${seconds} s after the case began${step === undefined || step === '' ? '' : `, step ${step}`}`,
    },
  ];
}

/** Reason why a failed case stopped afterwards: a condition that was not met. */
function stopFact({ finding, seenIn }: FindingView): readonly EvidenceLine[] {
  const isOwn = finding.seenIn === undefined && seenIn?.verdict === 'fail';
  return isOwn && seenIn.reason !== undefined ? [{ label: 'then', text: seenIn.reason }] : [];
}

const confirmationWords: Readonly<Record<Confirmation['status'], string>> = {
  confirmed: 'seen twice',
  unstable: 'unstable: seen in one of two tries',
  'seen-once': 'seen once',
};

const isAcceptedControl = (message: Message): boolean => isAcceptedExchange(message) && message.attempt === 'control';

function confirmationFact({ finding, seenIn }: FindingView): readonly EvidenceLine[] {
  const { confirmation } = seenIn ?? {};
  if (finding.seenIn !== undefined || confirmation === undefined || finding.level !== 'required') return [];
  const why = confirmation.reason === undefined ? '' : `: ${confirmation.reason}`;
  // A plain case has no control.
  const isControlled = confirmation.status === 'confirmed' && seenIn?.messages.some(isAcceptedControl);
  const between = isControlled === true ? ', with the plain request accepted in between' : '';
  return [{ label: 'tries', text: `${confirmationWords[confirmation.status]}${between}${why}` }];
}

/** How a carrier without a feature says so, where a request that needs the feature was refused. */
function featureFact({ finding, seenIn }: FindingView): readonly EvidenceLine[] {
  const isRefused = finding.expected === 'accepted' && (finding.code === 'outcome' || finding.code === 'refused');
  const { assumes = [] } = seenIn ?? {};
  if (!isRefused || finding.seenIn !== undefined || assumes.length === 0) return [];
  const members = assumes.map((word) => `${word}: false`).join(', ');
  return [
    { label: 'declare', text: `a carrier that does not have it writes supports: { ${members} } in its target file` },
  ];
}

/** Most acts of people shown with a finding, the last ones. */
const maxShownActs = 6;

/** Acts of people that a finding rests on, and those of a second asking (P22). */
function actFacts({ finding, seenIn }: FindingView): readonly EvidenceLine[] {
  const { acts = [] } = seenIn ?? {};
  if (finding.afterActs === undefined && finding.seenIn === undefined) return [];
  return acts
    .slice(-maxShownActs)
    .map((act) => ({ label: 'person', text: `${actWords(act)}${act.try === 'again' ? ', asked again' : ''}` }));
}

/** Flags with which the finding counts again, though its rule counted only because it was named. */
const countingFlags = ({ stated }: Finding, flags: readonly string[]): readonly string[] =>
  stated === undefined ? flags : [...withoutFlag(flags, '--profile'), '--profile', 'strict'];

/** All evidence of a finding in the order a reader needs it, ending with the commands that reproduce it. */
export function findingFacts(view: FindingView, flags: readonly string[] = []): readonly EvidenceLine[] {
  const { finding } = view;
  const { expected, actual } = renderFinding(finding);
  const again = reproducingSelection(view);
  const same = countingFlags(finding, flags);
  return [
    ...(finding.path === undefined ? [] : [{ label: 'of', text: renderPath(finding.path) }]),
    { label: 'expected', text: expected },
    { label: 'actual', text: actual },
    ...messageFacts(view),
    ...(finding.comparedWith === undefined
      ? []
      : [{ label: 'compared with', text: `what came in ${finding.comparedWith.join(', ')}` }]),
    ...stopFact(view),
    ...actFacts(view),
    ...confirmationFact(view),
    ...featureFact(view),
    { label: 'where', text: renderPosition(finding.position), whole: true },
    ...(again.length === 0 ? [] : [{ label: 'run again', text: renderCommand(again, same), whole: true as const }]),
    ...renderSendCommand(view, flags),
  ];
}
