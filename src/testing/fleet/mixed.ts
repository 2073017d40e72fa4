import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openRewritingProxy } from '../rewriting-proxy.ts';
import type { Member } from './draw.ts';
import { definitionOf } from './identity.ts';
import { type MemberRun, type Night, runMember, startMember } from './night.ts';

/** What the other carrier gets as well, so that its receiver is there for longer than the deliveries of the first. */
const more = 'callback';

/** Waits until something listens at a port of this machine. */
async function listens(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await setTimeout(20);
  }
}

interface Mixed {
  readonly sender: Member;
  readonly other: Member;
  readonly cases: readonly string[];
  readonly folder: string;
}

/** The proxy in front of one receiver sends a copy of each delivery to that of another carrier as well. */
export async function runMixed({ sender, other, cases, folder }: Mixed): Promise<readonly [Night, Night]> {
  const proxy = await openRewritingProxy(`http://127.0.0.1:${sender.ports.receiver}`, {
    request: (passed) => {
      const { method, target, headers, body } = passed;
      const authorization = headers.authorization ?? '';
      const type = headers['content-type'] ?? 'application/json';
      const sent = { method, headers: { 'content-type': type, authorization }, ...(method === 'POST' ? { body } : {}) };
      // The other receiver need not be there, and what it says goes nowhere.
      fetch(`http://127.0.0.1:${other.ports.receiver}${target}`, sent).catch(() => undefined);
      return passed;
    },
  });
  const behind = definitionOf({ ...sender, ports: { ...sender.ports, receiver: Number(new URL(proxy.origin).port) } });
  const own = { REFERENCE_RECEIVER_PORT: String(sender.ports.receiver) };
  const runs: readonly [MemberRun, MemberRun] = [
    { member: sender, drawn: { ...behind, env: { ...behind.env, ...own } }, ...placesOf(sender, folder), cases },
    { member: other, drawn: definitionOf(other), ...placesOf(other, folder), cases: [...cases, more] },
  ];
  const carriers = await Promise.all(runs.map((run) => startMember(run, 1)));
  try {
    const misled = runMember(runs[1]);
    await listens(other.ports.receiver);
    return await Promise.all([runMember(runs[0]), misled]);
  } finally {
    await Promise.all(carriers.map((carrier) => carrier.close()));
    proxy.close();
  }
}

const placesOf = (member: Member, folder: string) => ({
  place: join(folder, 'targets', member.folder),
  out: join(folder, 'results', member.folder),
});
