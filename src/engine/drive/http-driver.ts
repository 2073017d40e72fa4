import { driverRequest, SteersDriver } from '../../wire/build/driver-call.ts';
import { Unmet } from '../context/case-context.ts';
import { exchange } from '../context/exchange.ts';
import type { HttpDriver } from '../../model/target.ts';
import type { Scope } from '../../model/template.ts';
import type { HttpRequest } from '../../wire/build/http-request.ts';
import { defineDriver, learnCall } from './driver.ts';

function prepare(driver: HttpDriver, scope: Scope, action: string): HttpRequest {
  try {
    return driverRequest(driver, scope);
  } catch (error) {
    if (error instanceof SteersDriver) throw new Unmet(`the driver for ${action} was not called: ${error.message}`);
    throw error;
  }
}

export const httpDriver = defineDriver('http', {
  attended: false,
  quoted: false,
  run: async ({ action, step, driver, scope }, ctx) => {
    const { url, json = [], headers, env } = driver;
    learnCall({ headers, others: [url, ...json.map(([, value]) => value)], env }, scope, ctx.redactor);
    const http = prepare(driver, scope, action);
    const response = await exchange({ step, purpose: `driver ${action}`, http, differences: [], ours: true }, ctx);
    const { status, summary, message, body } = response;
    const came = { summary, message, at: response.receivedAt * 1000, ...(body === undefined ? {} : { body }) };
    if (status !== undefined && driver.done.includes(status)) return { done: true, status, ...came };
    if (status !== undefined && driver.impossible.includes(status)) return { done: false, status, ...came };
    throw new Unmet(`the driver for ${action} did not work: ${summary}`);
  },
});
