import { isJsonObject, parseJson } from '../model/json.ts';
import { CarrierspecError } from '../model/problem.ts';
import type { HttpDriver } from '../model/target.ts';
import { driverRequest } from '../wire/http-request.ts';
import type { Sender } from '../wire/send.ts';
import type { ClockDoor, ClockReading } from './driven-clock.ts';

function parseReading(text: string, url: string): ClockReading {
  const body = parseJson(text);
  if (!isJsonObject(body) || typeof body['now'] !== 'number') {
    throw new CarrierspecError(`the clock at ${url} does not tell the time`, { kind: 'usage', code: 'clock-unusable' });
  }
  const { now, nextDue, inFlight } = body;
  return {
    now,
    nextDue: typeof nextDue === 'number' ? nextDue : null,
    inFlight: typeof inFlight === 'number' ? inFlight : undefined,
  };
}

/** The target's clock, through its driver. */
export function createClockDoor(
  clock: { readonly read: HttpDriver; readonly advance: HttpDriver },
  sender: Sender,
): ClockDoor {
  const call = async (driver: HttpDriver, values: Readonly<Record<string, unknown>>): Promise<ClockReading> => {
    const known: Readonly<Record<string, unknown>> = { ...values, env: driver.env };
    const request = driverRequest(driver, { now: () => 0, random: () => '', root: (name) => known[name] });
    const { url } = request;
    const sent = await sender.send(request);
    if ('noAnswer' in sent) {
      const message = `the carrier's clock did not answer at ${url}: ${sent.noAnswer.detail}`;
      throw new CarrierspecError(message, { kind: 'unreachable', code: 'clock-unreachable' });
    }
    if (!driver.done.includes(sent.answer.status)) {
      const message = `the carrier's clock at ${url} answered HTTP ${sent.answer.status}`;
      throw new CarrierspecError(message, { kind: 'usage', code: 'clock-unusable' });
    }
    return parseReading(sent.answer.body.toString('utf8'), url);
  };
  return { read: () => call(clock.read, {}), advance: (to) => call(clock.advance, { to }) };
}
