import { at, type Cursor, text as textAt } from '../../suite/yaml/document.ts';
import { defined } from '../../lib/optional.ts';
import type { HttpDriver } from '../../model/target.ts';
import { anyText, described, integer, list, named, object, placed, text } from '../../suite/grammar/grammar.ts';
import { headerLines, templates } from '../grammar/values.ts';
import type { Reader } from '../reader.ts';
import { compileOptional, compileText } from '../templates.ts';
import { defineDriverKind } from './define.ts';

const statuses = (description: string) =>
  list(integer(100, 999, { title: 'a status code' }), { title: 'a list of status codes', description });

const request = object(
  {
    method: anyText({ title: 'a method', description: 'Default: POST where there is json, else GET.' }),
    url: placed(
      text({ title: 'a URL', description: 'URL, with templates; a value in it is one segment, but for those of env.' }),
    ),
    headers: headerLines,
    json: templates('Members of the JSON body; those without a value are left out.'),
    done: statuses('Statuses that mean that it happened; default 200, 201, 202, 204.'),
    impossible: statuses('Statuses that mean that it was not possible, because the push is gone; default none.'),
  },
  {
    required: ['url'],
    title: 'http',
    description: 'A request; templates read request, with, client, subscriber, target, env.',
  },
);

const schemes = ['http:', 'https:'];

/** What is no URL, whatever the run puts there. */
const noUrl = /^\{\{\s*(?:request|subscriber|now|fresh|letters|to)\b/;

/** The URL must be one of http or https; one that begins with a template is checked by the run. */
function requireHttp(cursor: Cursor, reader: Reader): void {
  const url = textAt(cursor);
  if (url === undefined) return;
  const [literal = '', ...templatesAfter] = url.trimStart().toLowerCase().split('{{');
  const isOpen = (scheme: string): boolean => templatesAfter.length > 0 && scheme.startsWith(literal);
  if (noUrl.test(url.trimStart())) {
    const message = 'the URL of a driver begins with http:// or https://, or with a template that gives such a URL';
    reader.complain(cursor, 'bad-value', message);
    return;
  }
  if (schemes.some((scheme) => literal.startsWith(scheme) || isOpen(scheme))) return;
  reader.complain(cursor, 'bad-value', 'the URL of a driver begins with http:// or https://');
}

export const httpKind = defineDriverKind({
  kind: 'http',
  grammar: object({ http: described(named('http', request), 'A request does it.') }),
  description: 'a request',
  attended: false,
  canDriveClock: true,
  timeoutHint: 'an http driver has the request timeout of every exchange',
  load: ({ http, cursor }, reader): HttpDriver => {
    const { method, url = at(cursor, 'url'), headers, json, done = [], impossible = [] } = http ?? {};
    requireHttp(url, reader);
    return {
      kind: 'http',
      method: method ?? (json === undefined ? 'GET' : 'POST'),
      url: compileText(url, reader),
      ...defined({ headers: compileOptional(headers, reader), json: compileOptional(json, reader) }),
      done: done.length > 0 ? done : [200, 201, 202, 204],
      impossible,
      env: reader.env,
    };
  },
});
