import { setTimeout as wait } from 'node:timers/promises';
import { isJsonObject, type JsonObject, renderPlain } from '../../lib/json.ts';
import type { PersonReply, PageTask } from '../carriers/phone-lab.ts';
import type { RunningProcess } from '../program/spawn-cli.ts';
import { type EventStream, openEvents, postLive } from './live-page.ts';

/** Open questions, as the page last heard of them. */
export function questionsIn(events: EventStream): readonly JsonObject[] {
  const desk = events.last('desk');
  return isJsonObject(desk) && Array.isArray(desk['questions']) ? desk['questions'].filter(isJsonObject) : [];
}

const wordOfButton: Readonly<Record<string, string>> = {
  Done: 'done',
  Send: 'done',
  Cannot: 'cannot',
  Yes: 'yes',
  No: 'no',
};

function taskOf({ id, description, facts }: JsonObject): PageTask {
  const rows = Array.isArray(facts) ? facts : [];
  const pairs = rows.map((row) => (Array.isArray(row) ? row.map(renderPlain) : []));
  return {
    id: renderPlain(id),
    description: renderPlain(description),
    facts: Object.fromEntries(pairs.map(([label = '', text = '']) => [label, text])),
  };
}

/** Answers each question of a run with `--live` under this name, until it ends. Returns the tasks in order. */
export async function answerLive(
  running: RunningProcess,
  name: string,
  act: (task: PageTask, number: number) => Promise<PersonReply>,
): Promise<readonly PageTask[]> {
  const [, url = ''] = await running.stderr(/^live: (\S+)$/m);
  const events = await openEvents(url, 'person=one');
  const done: PageTask[] = [];
  let isOver = false;
  void running.ended.finally(() => (isOver = true));
  while (!isOver) {
    const task = questionsIn(events)
      .map(taskOf)
      .find(({ id }) => done.every((one) => one.id !== id));
    if (task === undefined) {
      await wait(10);
      continue;
    }
    done.push(task);
    const { button, note } = await act(task, done.length);
    const answer = { person: 'one', name, question: task.id, attempt: task.id, word: wordOfButton[button], note };
    await postLive(url, 'answer', answer).catch(() => undefined);
  }
  events.close();
  return done;
}
