import { isList, parseJson } from '../lib/json.ts';
import { defined } from '../lib/optional.ts';
import { forTerminal } from '../report/shared/sanitize.ts';
import type { Desk, Ended, OpenQuestion } from './desk.ts';
import type { DeskView, QuestionView } from './views.ts';

const textLimit = 2000;
const show = (text: string): string => forTerminal(text, textLimit);

/** A list of texts, as JSON has it. */
const textList = /\["[^"\\[\]]*"(?:,"[^"\\[\]]*")*\]/g;

/** `["openid","name"]` as `"openid", "name"`: the quotes say where each begins and ends. */
const readable = (text: string): string =>
  text.replaceAll(textList, (list) => {
    const parts = parseJson(list);
    return isList(parts) ? parts.map((part) => JSON.stringify(part)).join(', ') : list;
  });

function viewOfOpen({ id, question, due, holder }: OpenQuestion): QuestionView {
  const { kind, description, phone, sp, request, case: ofCase, rationale, expires } = question;
  return {
    id,
    kind,
    description: readable(show(description)),
    facts: [
      ['phone', show(phone)],
      ['SP', show(sp)],
      ...(request === undefined ? [] : [['request', show(request)] as const]),
      ['case', show(`${ofCase}: ${rationale}`)],
    ],
    due,
    ...defined({ expires, holder }),
  };
}

const viewOfEnded = ({ id, question, word, by, stopped, at }: Ended): DeskView['ended'][number] => ({
  id,
  description: readable(show(question.recorded)),
  phone: show(question.phone),
  word,
  at,
  ...defined({ by, stopped }),
});

/** What pages are told of the questions. */
export const deskView = (desk: Desk, now: number): DeskView => ({
  now,
  questions: desk.open().map(viewOfOpen),
  ended: desk.ended().map(viewOfEnded).toReversed(),
});
