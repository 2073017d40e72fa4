import { request } from 'node:http';
import type { OperatorQuestion } from '../../engine/context/operator.ts';
import { type Live, type LiveOptions, openLive } from '../../live/live.ts';

/** A question about a phone; `parts` override it. */
export const buildQuestion = (parts: Partial<OperatorQuestion> = {}): OperatorQuestion => ({
  kind: 'do',
  description: 'Approve the request on the phone',
  recorded: parts.description ?? 'Approve the request on the phone',
  phone: '+12175550101',
  sp: 'ccid-conftestclient01',
  request: 'the one that says Pay25dollars',
  case: 'approve-one',
  step: 'approval',
  action: 'approve',
  about: 'approve-one: An approval brings tokens',
  timeout: 60_000,
  ...parts,
});

const opened: Live[] = [];

/** Page of an empty run on this machine; `closeLive` closes it. */
export async function openTestLive(options: Partial<LiveOptions> = {}): Promise<Live & { readonly url: string }> {
  const live = await openLive({ address: { host: '127.0.0.1', port: 0 }, subject: 'Carrier under test', ...options });
  opened.push(live);
  return { ...live, url: live.urls[0] ?? '' };
}

export async function closeLive(): Promise<void> {
  await Promise.all(opened.splice(0).map((live) => live.close()));
}

export interface LiveResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

interface Call {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends exactly these header fields, which no browser would allow. */
export function callLive(url: string, { method = 'GET', headers = {}, body }: Call = {}): Promise<LiveResponse> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      const end = (): void =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString('utf8'),
        });
      response.once('end', end);
      response.once('error', reject);
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

/** Sends JSON from the page's own origin, as the page does. */
export const postLive = (url: string, path: string, body: unknown, more: Call['headers'] = {}): Promise<LiveResponse> =>
  callLive(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(url).origin, ...more },
    body: JSON.stringify(body),
  });

export interface EventStream {
  /** Text received so far. */
  readonly text: () => string;
  /** Data of the last event with that name; null if there was none. */
  readonly last: (name: string) => unknown;
  readonly close: () => void;
}

/** An event stream, as the page opens it. */
export function openEvents(url: string, query: string, headers: Call['headers'] = {}): Promise<EventStream> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}events?${query}`, { headers: headers ?? {}, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('error', () => undefined);
      resolve({
        text: () => text,
        last: (name) => {
          const found = [...text.matchAll(new RegExp(`^event: ${name}\n(?:id: .*\n)?data: (.*)\n`, 'gm'))].at(-1);
          const data: unknown = JSON.parse(found?.[1] ?? 'null');
          return data;
        },
        close: () => sent.destroy(),
      });
    });
    sent.once('error', reject);
    sent.end();
  });
}
