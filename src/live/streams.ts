import type { ServerResponse } from 'node:http';
import type { Feed } from './feed.ts';
import type { DeskView } from './views.ts';

/** Maximum number of open pages, in total and per person: old connections of a phone that slept may still be open. */
export const maxStreams = 32;
const maxPerPerson = 4;

/** Time limit for flushing the last events, in milliseconds. */
const maxFarewell = 1000;

/** Interval between checks for changes, in milliseconds. */
const lookInterval = 200;

/** Longest silence on a stream, in milliseconds. A page considers its connection dead after two and a half of these. */
export const heartbeat = 10_000;

/** Maximum number of items sent at once; older ones are skipped. */
const maxItemsAtOnce = 100;

interface Stream {
  readonly person: string;
  readonly response: ServerResponse;
  /** Number of the last item sent. */
  seq: number;
  feed: number;
  desk: number;
  pinged: number;
}

interface StreamSources {
  readonly feed: Feed;
  readonly desk: () => DeskView;
  /** Increases with each change of the questions. */
  readonly deskVersion: () => number;
  readonly now: () => number;
  /** Called when a page is opened or closed. */
  readonly onPeople: () => void;
}

/** Server-sent events: each page gets the current state, then changes; one that reconnects gets the items it missed. */
export interface Streams {
  /** Opens a stream after item `seq`, and ends the person's oldest if they have too many. False if there are too many in all. */
  readonly open: (response: ServerResponse, from: { readonly person: string; readonly seq: number }) => boolean;
  /** Number of people with an open page. */
  readonly people: () => number;
  /** Sends changes at once, because people wait for them. */
  readonly wake: () => void;
  /** Sends pending changes and ends all streams. */
  readonly close: () => Promise<void>;
}

/** `data` must not contain a line feed: it is JSON on one line. */
const eventText = (name: string, data: string, id?: number): string =>
  `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`;

function sendChanges(stream: Stream, { feed, desk, deskVersion, now }: StreamSources): void {
  const { response } = stream;
  // A slow reader gets fewer updates, so that nothing piles up.
  if (response.writableNeedDrain) return;
  let text = '';
  if (stream.desk !== deskVersion()) {
    stream.desk = deskVersion();
    text += eventText('desk', JSON.stringify(desk()));
  }
  if (stream.feed !== feed.version()) {
    stream.feed = feed.version();
    text += eventText('state', JSON.stringify(feed.state()));
    const items = feed.since(stream.seq).slice(-maxItemsAtOnce);
    const last = items.at(-1);
    if (last !== undefined) {
      stream.seq = last.seq;
      text += eventText('items', `[${items.map((item) => item.text).join(',')}]`, last.seq);
    }
  }
  if (text === '' && now() - stream.pinged >= heartbeat) text = eventText('ping', String(now()));
  if (text === '') return;
  stream.pinged = now();
  response.write(text);
}

/** Oldest streams of a person that must end to make room for one more. */
function surplusStreams(person: string, streams: ReadonlySet<Stream>): readonly Stream[] {
  const own = [...streams].filter((one) => one.person === person);
  return own.slice(0, Math.max(0, own.length - maxPerPerson + 1));
}

export function createStreams(sources: StreamSources): Streams {
  const streams = new Set<Stream>();
  let timer: NodeJS.Timeout | undefined;
  let woken: NodeJS.Timeout | undefined;
  const look = (): void => {
    for (const stream of streams) sendChanges(stream, sources);
  };
  const drop = (stream: Stream): void => {
    if (!streams.delete(stream)) return;
    sources.onPeople();
    if (streams.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  const end = (stream: Stream): void => {
    drop(stream);
    stream.response.destroy();
  };
  return {
    open: (response, { person, seq }) => {
      for (const old of surplusStreams(person, streams)) end(old);
      if (streams.size >= maxStreams) return false;
      const stream: Stream = { person, response, seq, feed: -1, desk: -1, pinged: sources.now() };
      streams.add(stream);
      sources.onPeople();
      timer ??= setInterval(look, lookInterval).unref();
      response.once('close', () => drop(stream));
      sendChanges(stream, sources);
      return true;
    },
    people: () => new Set([...streams].map(({ person }) => person)).size,
    wake: () => {
      clearTimeout(woken);
      woken = setTimeout(look, 10).unref();
    },
    close: async () => {
      clearTimeout(woken);
      look();
      await sayFarewell([...streams].map(({ response }) => response));
    },
  };
}

/** Ends the responses; resolves when they are flushed, or after a second. */
async function sayFarewell(responses: readonly ServerResponse[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, maxFarewell);
  });
  const left = responses.map((response) => new Promise<void>((resolve) => response.end(resolve)));
  await Promise.race([Promise.all(left), late]);
  clearTimeout(timer);
}
