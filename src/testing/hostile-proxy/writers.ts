import { setTimeout as wait } from 'node:timers/promises';
import type { Socket } from 'node:net';

/** A response, ready to be written. */
export interface RawResponse {
  readonly head: string;
  readonly body: Buffer;
}

/** Writes a response, or something else, and leaves the connection in any state. */
export type Writer = (answer: RawResponse, socket: Socket) => unknown;

const joinResponse = ({ head, body }: RawResponse): Buffer =>
  Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), body]);

/** Resolves when more may be written; false if the other side has closed. */
function send(socket: Socket, bytes: Buffer | string): Promise<boolean> {
  return new Promise((resolve) => {
    if (socket.destroyed || !socket.writable) resolve(false);
    else socket.write(bytes, (error) => resolve(error === undefined || error === null));
  });
}

/** Writes pieces until the other side closes. */
async function sendAll(socket: Socket, pieces: Iterable<Buffer | string>, pause?: number): Promise<void> {
  for (const piece of pieces) {
    if (!(await send(socket, piece))) return;
    if (pause !== undefined) await wait(pause);
  }
}

function* repeat(piece: Buffer | string, times: number): Iterable<Buffer | string> {
  for (let at = 0; at < times; at += 1) yield piece;
}

function* split(bytes: Buffer, size: number): Iterable<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const chunkedHead = ({ head }: RawResponse): string =>
  `${head.replace(/\r\ncontent-length: .*/i, '')}\r\nTransfer-Encoding: chunked\r\n\r\n`;

const chunk = (bytes: Buffer | string): string => `${bytes.length.toString(16)}\r\n${bytes.toString('latin1')}\r\n`;

/** Number of small pieces that are written one by one. */
const maxPieces = 4000;
const megabyte = Buffer.alloc(1024 * 1024, 'x');
const second = 1000;

export const writePlainly: Writer = (answer, socket) => send(socket, joinResponse(answer));

/** Writers by name of the mode. */
export const writers: Readonly<Record<string, Writer>> = {
  'reset-at-once': (_, socket) => void socket.resetAndDestroy(),
  'close-at-once': (_, socket) => void socket.end(),
  'never-answers': () => undefined,
  'close-in-head': async ({ head }, socket) => {
    await send(socket, head.slice(0, head.length / 2));
    socket.end();
  },
  'reset-in-head': async ({ head }, socket) => {
    await send(socket, head.slice(0, head.length / 2));
    socket.resetAndDestroy();
  },
  'stops-in-head': ({ head }, socket) => send(socket, head.slice(0, head.length / 2)),
  'close-in-body': async (answer, socket) => {
    await send(socket, joinResponse(answer).subarray(0, -5));
    socket.end();
  },
  'reset-in-body': async (answer, socket) => {
    await send(socket, joinResponse(answer).subarray(0, -5));
    socket.resetAndDestroy();
  },
  'stops-in-body': (answer, socket) => send(socket, joinResponse(answer).subarray(0, -5)),
  'closes-after': async (answer, socket) => {
    await send(socket, joinResponse(answer));
    socket.end();
  },
  'answers-twice': (answer, socket) => send(socket, Buffer.concat([joinResponse(answer), joinResponse(answer)])),
  'more-behind': (answer, socket) =>
    send(socket, Buffer.concat([joinResponse(answer), Buffer.from('garbage garbage')])),
  'blank-lines-before': (answer, socket) =>
    send(socket, Buffer.concat([Buffer.from('\r\n\r\n\r\n'), joinResponse(answer)])),
  'one-byte-pieces': (answer, socket) => sendAll(socket, split(joinResponse(answer), 1)),
  'one-byte-chunks': async (answer, socket) => {
    const large = Buffer.alloc(maxPieces * 8, answer.body.length === 0 ? ' ' : answer.body.toString('latin1'));
    await send(socket, chunkedHead(answer));
    await sendAll(
      socket,
      split(Buffer.from([...large].map((byte) => chunk(Buffer.from([byte]))).join(''), 'latin1'), 600),
    );
    await send(socket, '0\r\n\r\n');
  },
  'drips-head': ({ head }, socket) => sendAll(socket, split(Buffer.from(head), 1), second),
  'drips-body': async (answer, socket) => {
    await send(socket, `${answer.head}\r\n\r\n`);
    await sendAll(socket, split(answer.body, 1), second);
  },
  'slow-by-a-second': async (answer, socket) => {
    await wait(second);
    await send(socket, joinResponse(answer));
  },
  'endless-body': async (answer, socket) => {
    await send(socket, chunkedHead(answer));
    await sendAll(socket, repeat(chunk(megabyte), 4000));
  },
  'endless-head': async (_, socket) => {
    await send(socket, 'HTTP/1.1 200 x\r\n');
    await sendAll(socket, repeat('X-More: x\r\n', 1_000_000));
  },
  'endless-informational': (_, socket) =>
    sendAll(socket, repeat('HTTP/1.1 103 x\r\nLink: </x>\r\n\r\n'.repeat(100), 10_000)),
  'endless-trailers': async (answer, socket) => {
    await send(socket, `${chunkedHead(answer)}0\r\n`);
    await sendAll(socket, repeat('X-More: x\r\n', 1_000_000));
  },
  'endless-chunk-extension': async (answer, socket) => {
    await send(socket, `${chunkedHead(answer)}5;`);
    await sendAll(socket, repeat('x=y;'.repeat(1000), 100_000));
  },
  'chunk-size-huge': (answer, socket) => send(socket, `${chunkedHead(answer)}fffffffffffffffff\r\n`),
  'chunk-size-word': (answer, socket) => send(socket, `${chunkedHead(answer)}many\r\nx\r\n0\r\n\r\n`),
  'chunk-never-ends': (answer, socket) => send(socket, `${chunkedHead(answer)}${chunk(answer.body)}`),
  'informational-first': (answer, socket) =>
    send(
      socket,
      Buffer.concat([Buffer.from('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 x\r\n\r\n'), joinResponse(answer)]),
    ),
  'trailers-odd': (answer, socket) =>
    send(socket, `${chunkedHead(answer)}${chunk(answer.body)}0\r\nContent-Length: 5\r\nStatus: 500\r\n\r\n`),
  'not-http': async (_, socket) => {
    await send(socket, Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]));
    socket.end();
  },
  noise: async (_, socket) => {
    await send(socket, Buffer.from(Array.from({ length: 4096 }, (__, at) => (at * 7919) % 256)));
    socket.end();
  },
};
