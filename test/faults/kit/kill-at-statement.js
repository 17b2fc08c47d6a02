import Database from 'better-sqlite3';

/** Loaded before the program: kills it once it has changed tables of the embedded database KILL_AFTER times. */
let left = Number(process.env.KILL_AFTER);
const prepare = Reflect.get(Database.prototype, 'prepare');
Database.prototype.prepare = function (sql) {
  if (/^(?:CREATE|ALTER) /.test(sql) && left-- <= 0) process.kill(process.pid, 'SIGKILL');
  return Reflect.apply(prepare, this, [sql]);
};
