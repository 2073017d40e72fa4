import type { Operator } from '../engine/context/operator.ts';
import { isList, parseJson, defined } from '../lib/json.ts';
import type { ProgressEvent } from '../model/progress.ts';
import { forTerminal } from '../report/shared/sanitize.ts';
import { type Desk, type Ended, type OpenQuestion, createDesk, type DeskOptions } from './desk.ts';
import { createFeed } from './feed.ts';
import { bracketed, drawToken, hostsOf, isLoopback, type LiveAddress } from './guard.ts';
import { serveLive } from './server.ts';
import { createStreams } from './streams.ts';
import type { DeskView, QuestionView } from './views.ts';

const textLimit = 2000;
const show = (text: string): string => forTerminal(text, textLimit);

/** A list of texts, as JSON has it. */
const textList = /\["[^"\\[\]]*"(?:,"[^"\\[\]]*")*\]/g;

/** `["openid","name"]` as `"openid", "name"`: the quotes say where each begins and ends. */
const readable = (text: string): string =>
  text.replaceAll(textList, (list) => {
    const parts = parseJson(list);
    return isList(parts) ? parts.map((part) => JSON.stringify(part)).join(', ') : list;
  });

function viewOfOpen({ id, question, due, holder }: OpenQuestion): QuestionView {
  const { kind, description, phone, sp, request, case: ofCase, rationale, expires } = question;
  return {
    id,
    kind,
    description: readable(show(description)),
    facts: [
      ['phone', show(phone)],
      ['SP', show(sp)],
      ...(request === undefined ? [] : [['request', show(request)] as const]),
      ['case', show(`${ofCase}: ${rationale}`)],
    ],
    due,
    ...defined({ expires, holder }),
  };
}

const viewOfEnded = ({ id, question, word, by, stopped, at }: Ended): DeskView['ended'][number] => ({
  id,
  description: readable(show(question.recorded)),
  phone: show(question.phone),
  word,
  at,
  ...defined({ by, stopped }),
});

/** What pages are told of the questions. */
export const deskView = (desk: Desk, now: number): DeskView => ({
  now,
  questions: desk.open().map(viewOfOpen),
  ended: desk.ended().map(viewOfEnded).toReversed(),
});

const longestLine = 200;
const line = (text: string): string => forTerminal(text, longestLine);

export interface LiveOptions {
  readonly address: LiveAddress;
  readonly subject: string;
  /** Somebody has taken a question: one line that a terminal can show. */
  readonly onTaken?: (words: string) => void;
}

export interface Live {
  /** Where it is; whoever has one of these may answer. */
  readonly urls: readonly string[];
  /** Others than this machine reach it, and what is sent can be read on the way. */
  readonly isOpen: boolean;
  readonly event: (event: ProgressEvent) => void;
  /** Asks at the page, and at the terminal if there is one; whoever answers first has answered. */
  readonly operatorWith: (terminal: Operator | undefined) => Operator;
  /** Tells the pages that a run was told to stop. */
  readonly stop: (words: string) => void;
  /** Tells the pages how it ended; they keep what they show. `close` tells it where nothing did. */
  readonly end: (words: string) => void;
  readonly close: () => Promise<void>;
}

/** Hosts and ports under which people are told to open it. */
const namesOf = (at: LiveAddress): readonly string[] =>
  isLoopback(at.host)
    ? [`${bracketed(at.host)}:${at.port}`]
    : hostsOf(at).filter((name) => name.endsWith(`:${at.port}`));

/** What a page shows, and the pages that show it. */
function createParts(onTaken: LiveOptions['onTaken']) {
  const now = Date.now;
  let deskVersion = 0;
  const onChange = (): void => {
    deskVersion += 1;
    streams.wake();
  };
  const feed = createFeed(now);
  const tellTaken: DeskOptions['onTaken'] = ({ name }, { recorded }) =>
    onTaken?.(line(`${name} has taken: ${recorded}`));
  const desk = createDesk({ now, onChange, onTaken: tellTaken });
  const streams = createStreams({ feed, desk: () => deskView(desk, now()), deskVersion: () => deskVersion, now });
  return { feed, desk, streams };
}

/** Serves the page of a run. Throws bad-flag where it cannot listen. */
export async function openLive({ address, subject, onTaken }: LiveOptions): Promise<Live> {
  const token = drawToken();
  const { feed, desk, streams } = createParts(onTaken);
  const server = await serveLive(address, { subject: line(subject), token, desk, streams }, hostsOf);
  return {
    urls: namesOf({ ...address, port: server.port }).map((name) => `http://${name}/${token}/`),
    isOpen: !isLoopback(address.host),
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
