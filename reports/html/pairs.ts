import type { CaseView } from '../../src/report/html/case-view.ts';
import type { FoundRow } from '../../src/report/html/shared-elements.ts';
import type { MessageView, MemberRow, ValidView } from '../../src/report/html/message-view.ts';
import { type NodeContent, html } from './dom.ts';
import { rowsRead } from './rows.ts';

export const changeWords = { set: 'set', removed: 'removed', raw: 'raw JSON text', altered: 'altered' };
const timeClaims = ['iat', 'exp', 'nbf', 'auth_time'];
/** Maximum distance of a date from the epoch, in milliseconds. */
const maxEpochDistance = 8.64e15;

export interface MessageMoment {
  readonly time: number;
  readonly isSent: boolean;
}

/** Renders epoch seconds readably: their date, and their distance from the time of the message. */
function sayTime(text: string, { time, isSent }: MessageMoment) {
  const seconds = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(seconds)) return undefined;
  const apart = Math.round(seconds - time / 1000);
  const when = isSent ? 'it was sent' : 'it came in';
  const words = apart === 0 ? `when ${when}` : `${Math.abs(apart)} s ${apart < 0 ? 'before' : 'after'} ${when}`;
  if (Math.abs(seconds * 1000) > maxEpochDistance) return words;
  return `${new Date(Math.floor(seconds) * 1000).toISOString().slice(0, -5).replace('T', ' ')} UTC, ${words}`;
}

export function besideTime(name: string, text: string, moment: MessageMoment) {
  const words = timeClaims.includes(name) ? sayTime(text, moment) : undefined;
  return words === undefined ? undefined : html` <span class="quiet">${words}</span>`;
}

/** Share of two texts that must be alike for the rest to be marked. */
const minAlikeShare = 0.3;

function commonStart(one: string, other: string) {
  const most = Math.min(one.length, other.length);
  let at = 0;
  while (at < most && one[at] === other[at]) at += 1;
  return at;
}

function renderApart(text: string, other: string) {
  if (other === '') return html`<code>${text}</code>`;
  const start = commonStart(text, other);
  const most = Math.min(text.length, other.length) - start;
  let end = 0;
  while (end < most && text.at(-1 - end) === other.at(-1 - end)) end += 1;
  const isAlike = start + end >= minAlikeShare * Math.min(text.length, other.length);
  const last = text.length - end;
  if (!isAlike || start === last) return html`<code>${text}</code>`;
  return html`<code>${text.slice(0, start)}<mark>${text.slice(start, last)}</mark>${text.slice(last)}</code>`;
}

/** Two values side by side: sent and valid request, or actual and expected. */
interface ValuePair {
  readonly name: string;
  readonly mark?: string;
  readonly left: NodeContent;
  readonly right: NodeContent;
}

function renderPairs(
  title: string,
  [left, right]: readonly [left: string, right: string],
  pairs: readonly ValuePair[],
) {
  const rows = pairs.map(({ name, mark, ...sides }) => {
    const word = mark === undefined ? '' : html` <strong class="changed">${mark}</strong>`;
    return html`<div class="pair"><dt>${name}${word}</dt><dd><span class="label">${left}</span> ${sides.left}</dd><dd><span class="label">${right}</span> ${sides.right}</dd></div>`;
  });
  return html`<p>${title}</p><dl class="pairs">${rows}</dl>`;
}

/** Members of an exchange, named as in differences. */
function namedMembers({ object }: MessageView): readonly (readonly [name: string, text: string])[] {
  const parts = Object.entries({ header: object?.header ?? [], claims: object?.claims ?? [] });
  return parts.flatMap(([part, rows]) => rows.map(([name, text]) => [`${part}.${name}`, text] as const));
}

/** Valid request to compare with: one of the same case, or else the first of the run. */
function validFor({ purpose, at }: MessageView, { messages }: CaseView): ValidView | undefined {
  const plain = messages.find(
    (other) =>
      other.purpose === purpose && other.at !== at && other.differences?.length === 0 && other.object?.claims.length,
  );
  if (plain === undefined) return rowsRead?.valid.find((one) => one.purpose === purpose);
  return {
    id: plain.at,
    anchor: '',
    at: plain.at,
    time: plain.time,
    purpose: purpose ?? '',
    members: namedMembers(plain),
  };
}

/** Differences that the valid request never has. */
const addedNames = /^http\.(?:query|beside)\./;

const lastName = (what: string) => what.slice(what.lastIndexOf('.') + 1);

function renderValid([what, text]: MemberRow, valid: ValidView | undefined): NodeContent {
  const [, found] = valid?.members.find(([name]) => name === what) ?? [];
  if (valid !== undefined && found !== undefined) {
    return [renderApart(found, text), besideTime(lastName(what), found, { time: valid.time, isSent: true })];
  }
  const part = what.slice(0, what.indexOf('.') + 1);
  const isKnown = part !== 'http.' && valid?.members.some(([name]) => name.startsWith(part)) === true;
  const isAbsent = addedNames.test(what) || (part !== '' && isKnown && what.split('.').length === 2);
  return html`<span class="quiet">${isAbsent ? 'not there' : 'as usual'}</span>`;
}

function renderSent([what, text, change]: MemberRow, valid: ValidView | undefined, time: number): NodeContent {
  if (change === 'removed') return html`<del>not sent</del>`;
  if (change === 'altered') return text === '' ? 'altered' : text;
  const [, found = ''] = valid?.members.find(([name]) => name === what) ?? [];
  return [renderApart(text, found), besideTime(lastName(what), text, { time, isSent: true })];
}

function renderSource({ anchor, at, id }: ValidView) {
  const link = anchor === '' ? id : html`<a href="#${anchor}" data-at="${at}">${id}</a>`;
  return html`<p class="quiet">The valid request is that of ${link}; values made anew for each differ.</p>`;
}

export function renderDifferences(message: MessageView, view: CaseView) {
  const { differences = [], object, time } = message;
  if (differences.length === 0) {
    return object === undefined ? undefined : html`<p class="quiet">The valid request, nothing different.</p>`;
  }
  const valid = validFor(message, view);
  const pairs = differences.map((difference): ValuePair => {
    const [name, , change] = difference;
    const sides = { left: renderValid(difference, valid), right: renderSent(difference, valid, time) };
    return change === undefined ? { name, ...sides } : { name, mark: changeWords[change], ...sides };
  });
  const drawn = renderPairs('Deliberately different:', ['the valid request', 'sent'], pairs);
  return html`<div class="difference">${drawn}${valid === undefined ? '' : renderSource(valid)}</div>`;
}

/** Mark of a finding on its message: expected beside what came. */
export function renderMark({ tone, rule, headline, facts }: FoundRow) {
  const [of = 'the response', expected = '', actual = ''] = ['of', 'expected', 'actual'].map(
    (wanted) => facts.find(([label]) => label === wanted)?.[2],
  );
  const pair = { name: of, left: renderApart(expected, actual), right: renderApart(actual, expected) };
  const pairs = renderPairs('Expected against what came:', ['expected', 'came'], [pair]);
  return html`<p class="finding t-${tone}"><strong>${rule[1]}</strong> ${headline}</p><div class="difference">${pairs}</div>`;
}
