import type { ServerResponse } from 'node:http';
import type { Feed } from './feed.ts';
import type { DeskView } from './views.ts';

/** Pages that are open at the same time, of all people and of one: of a phone that slept the old connections may not have ended yet. */
export const mostStreams = 32;
const mostOfOne = 4;

/** Milliseconds that the last words have to leave. */
const longestFarewell = 1000;

/** Milliseconds between two looks at what has changed. */
const lookEvery = 200;

/** Milliseconds after which a page has had a sign of life at the latest: it takes its line for dead after two and a half of these. */
export const heartbeat = 10_000;

/** Items that are sent at once: of more, only the last. */
const mostAtOnce = 100;

interface Stream {
  readonly person: string;
  readonly response: ServerResponse;
  /** The last item that was sent. */
  seq: number;
  feed: number;
  desk: number;
  pinged: number;
}

interface StreamSources {
  readonly feed: Feed;
  readonly desk: () => DeskView;
  /** Grows with each change of the questions. */
  readonly deskVersion: () => number;
  readonly now: () => number;
}

/** Server-sent events: each page gets the state as it is, then what changes; one that comes back gets what it has missed. */
export interface Streams {
  /** Begins a stream of a person behind the item `seq`; their oldest ends where they have several. False where there are too many. */
  readonly open: (response: ServerResponse, from: { readonly person: string; readonly seq: number }) => boolean;
  /** Something changed that people wait for: it is sent at once. */
  readonly wake: () => void;
  /** Sends what has not been sent, and ends all streams. */
  readonly close: () => Promise<void>;
}

/** A data line of an event has no line feed: JSON on one line. */
const eventText = (name: string, data: string, id?: number): string =>
  `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`;

function sendChanges(stream: Stream, { feed, desk, deskVersion, now }: StreamSources): void {
  const { response } = stream;
  // Who reads slowly is told less often, and nothing piles up.
  if (response.writableNeedDrain) return;
  let text = '';
  if (stream.desk !== deskVersion()) {
    stream.desk = deskVersion();
    text += eventText('desk', JSON.stringify(desk()));
  }
  if (stream.feed !== feed.version()) {
    stream.feed = feed.version();
    text += eventText('state', JSON.stringify(feed.state()));
    const items = feed.since(stream.seq).slice(-mostAtOnce);
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

/** The oldest streams of a person, so many that there is room for one more. */
function tooManyOf(person: string, streams: ReadonlySet<Stream>): readonly Stream[] {
  const own = [...streams].filter((one) => one.person === person);
  return own.slice(0, Math.max(0, own.length - mostOfOne + 1));
}

export function createStreams(sources: StreamSources): Streams {
  const streams = new Set<Stream>();
  let timer: NodeJS.Timeout | undefined;
  let woken: NodeJS.Timeout | undefined;
  const look = (): void => {
    for (const stream of streams) sendChanges(stream, sources);
  };
  const drop = (stream: Stream): void => {
    streams.delete(stream);
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
      for (const old of tooManyOf(person, streams)) end(old);
      if (streams.size >= mostStreams) return false;
      const stream: Stream = { person, response, seq, feed: -1, desk: -1, pinged: sources.now() };
      streams.add(stream);
      timer ??= setInterval(look, lookEvery).unref();
      response.once('close', () => drop(stream));
      sendChanges(stream, sources);
      return true;
    },
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

/** Ends the streams when what was written has left, or after a second. */
async function sayFarewell(responses: readonly ServerResponse[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, longestFarewell);
  });
  const left = responses.map((response) => new Promise<void>((resolve) => response.end(resolve)));
  await Promise.race([Promise.all(left), late]);
  clearTimeout(timer);
}
