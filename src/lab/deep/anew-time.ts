import { markDeep } from '../edit/fault-table.ts';

export const anewTimeFaults = markDeep('time', []);
