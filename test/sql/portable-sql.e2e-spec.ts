import { DataSource } from 'typeorm';
import { onEmbedded, onServer } from '../support/database-matrix.js';
import { brokenBy, takeBroken } from '../support/portable-sql.js';
import { useService } from '../support/service.js';

describe('SQL that every server understands', () => {
  onEmbedded.each([
    ['SET TRANSACTION ISOLATION LEVEL SERIALIZABLE', 'no SERIALIZABLE'],
    ["SELECT GET_LOCK('a', 10)", 'no named locks'],
    ['LOCK TABLES forms WRITE', 'no table locks'],
    ['INSERT INTO a (id) SELECT id FROM b', 'no INSERT … SELECT'],
    ['CREATE TABLE a AS SELECT * FROM b', 'no CREATE TABLE … SELECT'],
    ['INSERT INTO a (n) VALUES (?) ON DUPLICATE KEY UPDATE n = VALUES(n)', 'no VALUES() in an upsert'],
    ['INSERT INTO a (n) VALUES (?) AS new ON DUPLICATE KEY UPDATE n = new.n', 'no row alias in an upsert'],
    ['REPLACE INTO a (n) VALUES (1)', 'no REPLACE'],
    ['DELETE FROM a WHERE b < ? LIMIT 500', 'no UPDATE or DELETE with LIMIT'],
    ['UPDATE a SET b = 1\nORDER BY c LIMIT 1', 'no UPDATE or DELETE with LIMIT'],
    ['UPDATE a JOIN b ON a.id = b.id SET a.n = 1', 'no UPDATE or DELETE of several tables'],
    ["SELECT * FROM a WHERE b->>'$.c' = 1", 'no JSON paths'],
    ["SELECT JSON_EXTRACT(b, '$.c') FROM a", 'no JSON paths'],
    ['CREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW SET @n = 1', 'no triggers, procedures, events or views'],
    ['SELECT * FROM a WHERE MATCH (b) AGAINST (?)', 'no FULLTEXT'],
    ['ALTER TABLE a ADD CONSTRAINT c FOREIGN KEY (b) REFERENCES d (e)', 'no foreign keys'],
    ['ALTER TABLE a ADD b INT NULL, ADD c INT NULL', 'one change for each ALTER'],
    ['ALTER TABLE a CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci', '0900'],
    ['SELECT * FROM `deliveries` LIMIT 20 FOR UPDATE SKIP LOCKED', 'no SKIP LOCKED'],
    ['SELECT * FROM `deliveries` WHERE id = ? FOR UPDATE', 'no FOR UPDATE but of rows in the list'],
  ])('is not %s', (sql, rule) => {
    const broken = brokenBy(sql).join();
    expect(broken).toContain(rule === '0900' ? 'no collation that MariaDB lacks' : rule);
  });

  onEmbedded.each([
    ['INSERT INTO a (b, c) VALUES (?,?),(?,?)'],
    ["INSERT INTO a (b) VALUES ('I SELECT nothing')"],
    ['INSERT INTO a (n) VALUES (?) ON DUPLICATE KEY UPDATE n = n + ?'],
    ['UPDATE a SET b = b + ? WHERE id IN (?,?)'],
    ['SELECT id FROM a ORDER BY id LIMIT 10 OFFSET 20'],
    ['SELECT `form`.`id` FROM `forms` `form` WHERE `form`.`id` = ? FOR UPDATE'],
    ['ALTER TABLE `forms` ADD `retention_days` int NULL'],
    ['CREATE TABLE a (b INT, c INT, INDEX d (b, c))'],
  ])('is %s', (sql) => {
    expect(brokenBy(sql)).toEqual([]);
  });

  describe('a service', () => {
    const service = useService();

    onServer('is watched for it while it is tested', async () => {
      const database = service().app.get(DataSource);

      await database.query('SELECT GET_LOCK(?, 0)', ['portable-sql']);
      await database.transaction('SERIALIZABLE', (tx) => tx.query('SELECT 1'));

      expect(takeBroken()).toEqual([
        'no named locks: SELECT GET_LOCK(?, 0)',
        'no SERIALIZABLE: SET TRANSACTION ISOLATION LEVEL SERIALIZABLE',
      ]);
    });
  });
});
