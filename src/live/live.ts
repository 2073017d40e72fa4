import type { Operator } from '../engine/context/operator.ts';
import type { ProgressEvent } from '../model/progress.ts';
import { forTerminal } from '../report/shared/sanitize.ts';
import { createDesk } from './desk.ts';
import { deskView } from './desk-view.ts';
import { createFeed, type Feed } from './feed.ts';
import { bracketed, drawToken, hostsOf, isLoopback, type LiveAddress } from './guard.ts';
import type { Shown } from './page.ts';
import { createPeople } from './people.ts';
import { serveLive } from './server.ts';
import { createStreams } from './streams.ts';

const longestSubject = 200;

export interface LiveOptions {
  readonly address: LiveAddress;
  /** What is run, in words. */
  readonly subject: string;
  /** Default: a run. */
  readonly shown?: Shown;
  /** Where photos are kept. */
  readonly folder?: string;
}

/** The page of a run, while it lasts. */
export interface Live {
  /** Where it is; whoever has one of these may answer. */
  readonly urls: readonly string[];
  readonly port: number;
  /** Others than this machine reach it, and what is sent can be read on the way. */
  readonly isOpen: boolean;
  readonly feed: Pick<Feed, 'message' | 'line'>;
  readonly event: (event: ProgressEvent) => void;
  /** Asks at the page, and at the terminal if there is one; whoever answers first has answered. */
  readonly operatorWith: (terminal: Operator | undefined) => Operator;
  /** Tells the pages how it ended; they keep what they show. */
  readonly end: (words: string) => void;
  readonly close: () => Promise<void>;
}

/** Serves the page of a run. Throws bad-flag where it cannot listen. */
export async function openLive({ address, subject, shown = 'run', folder }: LiveOptions): Promise<Live> {
  const now = Date.now;
  const token = drawToken();
  let deskVersion = 0;
  const onChange = (): void => {
    deskVersion += 1;
    streams.wake();
  };
  const feed = createFeed(now);
  const desk = createDesk({ now, onChange });
  const people = createPeople(onChange);
  const streams = createStreams({
    feed,
    desk: () => deskView(desk, people, now()),
    deskVersion: () => deskVersion,
    now,
  });
  const server = await serveLive(
    address,
    { subject: forTerminal(subject, longestSubject), shown, token, desk, people, streams, folder },
    hostsOf,
  );
  const names = isLoopback(address.host)
    ? [`${bracketed(address.host)}:${server.port}`]
    : hostsOf({ ...address, port: server.port });
  return {
    urls: names.map((name) => `http://${name}/${token}/`),
    port: server.port,
    isOpen: !isLoopback(address.host),
    feed,
    event: feed.event,
    operatorWith: desk.operatorWith,
    end: feed.end,
    close: async () => {
      await streams.close();
      await server.close();
    },
  };
}
