import type { ServerResponse } from 'node:http';
import type { Feed } from './feed.ts';
import type { DeskView } from './views.ts';

/** Pages that are open at the same time. */
export const mostStreams = 32;

/** Milliseconds between two looks at what has changed, and between two signs that the connection is alive. */
const lookEvery = 200;
const pingEvery = 10_000;

/** Items that are sent at once: of more, only the last. */
const mostAtOnce = 100;

interface Stream {
  readonly response: ServerResponse;
  /** The last item that was sent. */
  seq: number;
  feed: number;
  desk: number;
  pinged: number;
}

export interface StreamSources {
  readonly feed: Feed;
  readonly desk: () => DeskView;
  /** Grows with each change of the questions and the people. */
  readonly deskVersion: () => number;
  readonly now: () => number;
}

/** Server-sent events: each page gets the state as it is, then what changes; one that comes back gets what it has missed. */
export interface Streams {
  /** Begins a stream behind the item `seq`. False where there are too many. */
  readonly open: (response: ServerResponse, seq: number) => boolean;
  /** Something changed that people wait for: it is sent at once. */
  readonly wake: () => void;
  /** Sends what has not been sent, and ends all streams. */
  readonly close: () => void;
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
  if (text === '' && now() - stream.pinged >= pingEvery) text = eventText('ping', String(now()));
  if (text === '') return;
  stream.pinged = now();
  response.write(text);
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
  return {
    open: (response, seq) => {
      if (streams.size >= mostStreams) return false;
      const stream: Stream = { response, seq, feed: -1, desk: -1, pinged: sources.now() };
      streams.add(stream);
      timer ??= setInterval(look, lookEvery).unref();
      response.once('close', () => drop(stream));
      sendChanges(stream, sources);
      return true;
    },
    wake: () => {
      woken ??= setTimeout(() => {
        woken = undefined;
        look();
      }, 10).unref();
    },
    close: () => {
      clearTimeout(woken);
      look();
      for (const { response } of streams) response.end();
    },
  };
}
