import type { Json } from '../../lib/json.ts';
import type { ScriptedResponse } from '../../model/suite.ts';
import { cutText } from '../../report/shared/sanitize.ts';

/** Characters of a value beside a step. */
const valueLimit = 160;

/** A value as the suite has it; one that is a template alone stands without quotes. */
export function renderValue(source: Json, limit = valueLimit): string {
  const template = typeof source === 'string' && /^\{\{[^{}]*\}\}$/.test(source);
  return cutText(template ? source : JSON.stringify(source), limit);
}

/** One scripted response of our receiver. */
export function describeResponse({ status, body, headers = [], delay, reset }: ScriptedResponse): string {
  const late = delay === undefined ? '' : ` after ${delay} s`;
  if (reset === true) return `the connection is reset${late}`;
  const lines = headers.map(([name, { source }]) => `, ${name}: ${renderValue(source)}`);
  return `HTTP ${status}${late}${lines.join('')}${body === undefined ? '' : `, body ${renderValue(body)}`}`;
}
