CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
CREATE TABLE costs (
        run TEXT NOT NULL,
        kind TEXT NOT NULL,
        seconds FLOAT NOT NULL,
        PRIMARY KEY (run, kind),
        FOREIGN KEY(run) REFERENCES runs (name) ON DELETE CASCADE
    );
CREATE TRIGGER decisions_no_delete BEFORE DELETE ON decisions
    BEGIN
        SELECT RAISE(ABORT, 'decisions are only ever added');
    END;
CREATE TRIGGER decisions_no_update BEFORE UPDATE ON decisions
    BEGIN
        SELECT RAISE(ABORT, 'decisions are only ever added');
    END;
CREATE TABLE decisions (
        id INTEGER NOT NULL,
        run TEXT NOT NULL,
        draft TEXT NOT NULL,
        decision TEXT NOT NULL,
        reviewer TEXT NOT NULL,
        reason TEXT NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (id)
    );
CREATE INDEX ix_decisions_draft ON decisions (run, draft);
CREATE TABLE drafts (
        "key" INTEGER NOT NULL,
        run TEXT NOT NULL,
        id TEXT NOT NULL,
        app TEXT NOT NULL,
        position INTEGER NOT NULL,
        status TEXT NOT NULL,
        reason TEXT NOT NULL,
        fingerprint TEXT NOT NULL,
        shape TEXT NOT NULL,
        instruction TEXT NOT NULL,
        attempts INTEGER NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY ("key"),
        UNIQUE (run, id),
        FOREIGN KEY(run) REFERENCES runs (name) ON DELETE CASCADE
    );
CREATE INDEX ix_drafts_app_status ON drafts (app, status, reason);
CREATE INDEX ix_drafts_id ON drafts (id);
CREATE INDEX ix_drafts_run_status ON drafts (run, status, position);
CREATE TABLE evidence (
        id INTEGER NOT NULL,
        exploration TEXT,
        feature TEXT,
        draft INTEGER,
        verdict INTEGER,
        position INTEGER NOT NULL,
        kind TEXT NOT NULL,
        text TEXT NOT NULL,
        ref TEXT NOT NULL,
        PRIMARY KEY (id),
        FOREIGN KEY(exploration) REFERENCES explorations (id) ON DELETE CASCADE,
        FOREIGN KEY(draft) REFERENCES drafts ("key") ON DELETE CASCADE
    );
CREATE INDEX ix_evidence_draft ON evidence (draft, verdict);
CREATE INDEX ix_evidence_feature ON evidence (exploration, feature);
CREATE TABLE explorations (
        id TEXT NOT NULL,
        app TEXT NOT NULL,
        template_hash TEXT NOT NULL,
        settings_hash TEXT NOT NULL,
        created TEXT NOT NULL,
        finished TEXT NOT NULL,
        stopped_by TEXT NOT NULL,
        actions INTEGER NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (id)
    );
CREATE INDEX ix_explorations_app ON explorations (app);
CREATE TABLE features (
        exploration TEXT NOT NULL,
        id TEXT NOT NULL,
        position INTEGER NOT NULL,
        operation TEXT NOT NULL,
        noun TEXT NOT NULL,
        route TEXT NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (exploration, id),
        FOREIGN KEY(exploration) REFERENCES explorations (id) ON DELETE CASCADE
    );
CREATE TABLE leases (
        run TEXT NOT NULL,
        owner TEXT NOT NULL,
        taken TEXT NOT NULL,
        PRIMARY KEY (run),
        FOREIGN KEY(run) REFERENCES runs (name) ON DELETE CASCADE
    );
CREATE TABLE mutants (
        draft INTEGER NOT NULL,
        position INTEGER NOT NULL,
        kind TEXT NOT NULL,
        result TEXT NOT NULL,
        note TEXT NOT NULL,
        PRIMARY KEY (draft, position),
        FOREIGN KEY(draft) REFERENCES drafts ("key") ON DELETE CASCADE
    );
CREATE TABLE pages (
        exploration TEXT NOT NULL,
        id TEXT NOT NULL,
        position INTEGER NOT NULL,
        location TEXT NOT NULL,
        state TEXT NOT NULL,
        body TEXT NOT NULL,
        observation BLOB NOT NULL,
        PRIMARY KEY (exploration, id),
        FOREIGN KEY(exploration) REFERENCES explorations (id) ON DELETE CASCADE
    );
CREATE TABLE proofs (
        draft INTEGER NOT NULL,
        outcome TEXT NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (draft),
        FOREIGN KEY(draft) REFERENCES drafts ("key") ON DELETE CASCADE
    );
CREATE TABLE runs (
        name TEXT NOT NULL,
        app TEXT NOT NULL,
        phase TEXT NOT NULL,
        stopped_by TEXT NOT NULL,
        created TEXT NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (name)
    );
CREATE INDEX ix_runs_app ON runs (app);
CREATE TABLE states (
        exploration TEXT NOT NULL,
        "key" TEXT NOT NULL,
        location TEXT NOT NULL,
        example TEXT NOT NULL,
        PRIMARY KEY (exploration, "key"),
        FOREIGN KEY(exploration) REFERENCES explorations (id) ON DELETE CASCADE
    );
CREATE TABLE steps (
        draft INTEGER NOT NULL,
        position INTEGER NOT NULL,
        action TEXT NOT NULL,
        outcome TEXT NOT NULL,
        effect BOOLEAN NOT NULL,
        before_location TEXT NOT NULL,
        after_location TEXT NOT NULL,
        picture_before TEXT NOT NULL,
        picture_after TEXT NOT NULL,
        body TEXT NOT NULL,
        "before" BLOB,
        "after" BLOB NOT NULL,
        PRIMARY KEY (draft, position),
        FOREIGN KEY(draft) REFERENCES trajectories (draft) ON DELETE CASCADE
    );
CREATE TABLE task_parts (
        task TEXT NOT NULL,
        position INTEGER NOT NULL,
        operation TEXT NOT NULL,
        feature TEXT NOT NULL,
        PRIMARY KEY (task, position),
        FOREIGN KEY(task) REFERENCES tasks (id) ON DELETE CASCADE
    );
CREATE INDEX ix_task_parts_feature ON task_parts (feature);
CREATE INDEX ix_task_parts_operation ON task_parts (operation);
CREATE TABLE tasks (
        id TEXT NOT NULL,
        draft INTEGER NOT NULL,
        run TEXT NOT NULL,
        app TEXT NOT NULL,
        position INTEGER NOT NULL,
        fingerprint TEXT NOT NULL,
        revision TEXT NOT NULL,
        body TEXT NOT NULL, retired TEXT NOT NULL DEFAULT '',
        PRIMARY KEY (id),
        UNIQUE (app, fingerprint),
        UNIQUE (draft),
        FOREIGN KEY(draft) REFERENCES drafts ("key") ON DELETE CASCADE,
        FOREIGN KEY(run) REFERENCES runs (name) ON DELETE CASCADE
    );
CREATE INDEX ix_tasks_run ON tasks (run, position);
CREATE TABLE trajectories (
        draft INTEGER NOT NULL,
        length INTEGER NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (draft),
        FOREIGN KEY(draft) REFERENCES drafts ("key") ON DELETE CASCADE
    );
CREATE TABLE transitions (
        exploration TEXT NOT NULL,
        id TEXT NOT NULL,
        position INTEGER NOT NULL,
        source TEXT NOT NULL,
        target TEXT NOT NULL,
        status TEXT NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (exploration, id),
        FOREIGN KEY(exploration) REFERENCES explorations (id) ON DELETE CASCADE
    );
CREATE TABLE units (
        exploration TEXT NOT NULL,
        "key" TEXT NOT NULL,
        wave INTEGER NOT NULL,
        position INTEGER NOT NULL,
        kind TEXT NOT NULL,
        actions INTEGER NOT NULL,
        result TEXT NOT NULL,
        PRIMARY KEY (exploration, "key"),
        FOREIGN KEY(exploration) REFERENCES explorations (id) ON DELETE CASCADE
    );
CREATE TABLE verdicts (
        draft INTEGER NOT NULL,
        position INTEGER NOT NULL,
        gate TEXT NOT NULL,
        finding TEXT NOT NULL,
        reason TEXT NOT NULL,
        explanation TEXT NOT NULL,
        version INTEGER NOT NULL,
        PRIMARY KEY (draft, position),
        FOREIGN KEY(draft) REFERENCES drafts ("key") ON DELETE CASCADE
    );
CREATE INDEX ix_verdicts_gate ON verdicts (gate, finding, reason);
CREATE TABLE verifications (
        id INTEGER NOT NULL,
        task TEXT NOT NULL,
        at TEXT NOT NULL,
        outcome TEXT NOT NULL,
        reason TEXT NOT NULL,
        template_hash TEXT NOT NULL,
        clock TEXT NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (id),
        FOREIGN KEY(task) REFERENCES tasks (id) ON DELETE CASCADE
    );
CREATE INDEX ix_verifications_task ON verifications (task, id);
