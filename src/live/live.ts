import type { Operator } from '../engine/context/operator.ts';
import { isList, parseJson, omitUndefined } from '../lib/json.ts';
import type { ProgressEvent } from '../model/progress.ts';
import { forTerminal } from '../report/shared/sanitize.ts';
import { type Desk, type ClosedQuestion, type OpenQuestion, createDesk, type DeskOptions } from './desk.ts';
import { createFeed } from './feed.ts';
import { bracketHost, drawToken, allowedHosts, isLoopbackHost, type LiveAddress } from './guard.ts';
import { serveLive } from './server.ts';
import { createStreams } from './streams.ts';
import type { DeskView, QuestionView } from './views.ts';

const textLimit = 2000;
const showText = (text: string): string => forTerminal(text, textLimit);

/** A JSON array of strings. */
const textList = /\["[^"\\[\]]*"(?:,"[^"\\[\]]*")*\]/g;

/** Rewrites `["openid","name"]` as `"openid", "name"`: the quotes delimit each item. */
const readableLists = (text: string): string =>
  text.replaceAll(textList, (list) => {
    const parts = parseJson(list);
    return isList(parts) ? parts.map((part) => JSON.stringify(part)).join(', ') : list;
  });

/** The one moment until which an act counts; a request that had expired when it was asked about sets none. */
function actDue({ question: { expires, timeout }, askedAt }: OpenQuestion): number {
  const end = askedAt + timeout;
  return expires === undefined || expires <= askedAt ? end : Math.min(end, expires);
}

function viewOpenQuestion(open: OpenQuestion): QuestionView {
  const { id, question, holder } = open;
  const { kind, description, phone, sp, request, again, about, mark, place } = question;
  return {
    id,
    kind,
    description: readableLists(showText(description)),
    facts: [
      ...(again === undefined ? [] : [['asked again', showText(again)] as const]),
      ['phone', showText(phone)],
      ['SP', showText(sp)],
      ...(request === undefined ? [] : [['request', showText(request)] as const]),
      ...(about === undefined ? [] : [['case', showText(about)] as const]),
    ],
    due: actDue(open),
    ...omitUndefined({ mark, holder, place: place && `${place.number} of ${place.of}` }),
  };
}

const viewClosedQuestion = ({ id, question, word, by, stopped, at }: ClosedQuestion): DeskView['ended'][number] => ({
  id,
  description: readableLists(showText(question.recorded)),
  phone: showText(question.phone),
  word,
  at,
  ...omitUndefined({ by, stopped }),
});

/** Questions as sent to pages, the last to be closed first. */
export const deskView = (desk: Desk, { now, people }: Pick<DeskView, 'now' | 'people'>): DeskView => ({
  now,
  people,
  questions: desk.open().map(viewOpenQuestion),
  ended: desk.ended().map(viewClosedQuestion).toReversed(),
});

const maxLineLength = 200;
const terminalLine = (text: string): string => forTerminal(text, maxLineLength);

export interface LiveOptions {
  readonly address: LiveAddress;
  readonly subject: string;
  /** Called when a person takes a question, with one line for the terminal. */
  readonly onTaken?: (words: string) => void;
}

export interface Live {
  /** Addresses of the page; anyone who has one may answer. */
  readonly urls: readonly string[];
  /** Other machines can reach it, and traffic can be read in transit. */
  readonly isOpen: boolean;
  readonly event: (event: ProgressEvent) => void;
  /** Asks at the page, and at the terminal if there is one; the first answer counts. */
  readonly operatorWith: (terminal: Operator | undefined) => Operator;
  /** Tells the pages that the run is stopping. */
  readonly stop: (words: string) => void;
  /** Tells the pages how the run ended; they keep what they show. `close` does it if nothing else has. */
  readonly end: (words: string) => void;
  readonly close: () => Promise<void>;
}

/** Hosts and ports of the addresses shown to people. */
const shownHosts = (at: LiveAddress): readonly string[] =>
  isLoopbackHost(at.host)
    ? [`${bracketHost(at.host)}:${at.port}`]
    : allowedHosts(at).filter((name) => name.endsWith(`:${at.port}`));

function createParts(onTaken: LiveOptions['onTaken']) {
  const now = Date.now;
  let deskVersion = 0;
  const onChange = (): void => {
    deskVersion += 1;
    streams.wake();
  };
  const feed = createFeed(now);
  const tellTaken: DeskOptions['onTaken'] = ({ name }, { recorded }) =>
    onTaken?.(terminalLine(`${name} has taken: ${recorded}`));
  const desk = createDesk({ now, onChange, onTaken: tellTaken });
  const view = (): DeskView => deskView(desk, { now: now(), people: streams.people() });
  const streams = createStreams({ feed, desk: view, deskVersion: () => deskVersion, now, onPeople: onChange });
  return { feed, desk, streams };
}

/** Serves the page of a run. Throws bad-flag if it cannot listen. */
export async function openLive({ address, subject, onTaken }: LiveOptions): Promise<Live> {
  const token = drawToken();
  const { feed, desk, streams } = createParts(onTaken);
  const server = await serveLive(address, { subject: terminalLine(subject), token, desk, streams }, allowedHosts);
  return {
    urls: shownHosts({ ...address, port: server.port }).map((name) => `http://${name}/${token}/`),
    isOpen: !isLoopbackHost(address.host),
    event: feed.event,
    operatorWith: desk.operatorWith,
    stop: feed.stop,
    end: feed.end,
    close: async () => {
      feed.end('It is over: the program has ended.');
      await streams.close();
      await server.close();
    },
  };
}
