import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { createLagMeter, type LagMeter } from './lag.ts';

const open: LagMeter[] = [];
afterEach(() => {
  for (const { close } of open.splice(0)) close();
});

function openMeter(): LagMeter {
  const meter = createLagMeter();
  open.push(meter);
  return meter;
}

/** Blocks the event loop. */
function block(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

describe('how far behind the receiver is', () => {
  test('as long as the event loop was blocked, while it is and in the turns after it', async () => {
    const { current, worst } = openMeter();
    await pause(60);
    block(400);
    expect(current()).toBeGreaterThan(300);
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(current()).toBeGreaterThan(300);
    expect(current()).toBeLessThan(2000);
    expect(worst()).toBeGreaterThan(300);
  });

  test('it is over when what arrived meanwhile has been read; the worst is remembered', async () => {
    const { current, worst } = openMeter();
    block(400);
    await pause(600);
    expect(current()).toBeLessThan(worst() / 2);
    expect(worst()).toBeGreaterThan(300);
  });
});
