-- What one does in Neovim: open, hover, edit, look at diagnostics, take a code action. Results go to $TX_RESULT.
local result = {}

local function wait_for(what, test)
  assert(vim.wait(20000, test, 20), "never came: " .. what)
end

local function at(line, character)
  vim.api.nvim_win_set_cursor(0, { line + 1, character })
  return vim.lsp.util.make_position_params(0, "utf-16")
end

local function run()
  wait_for("the server", function()
    local client = vim.lsp.get_client_by_id(1)
    return client ~= nil and client.initialized
  end)
  local answers = vim.lsp.buf_request_sync(0, "textDocument/hover", at(0, 5), 20000)
  result.hover = answers[1].result.contents.value
  local lenses = vim.lsp.buf_request_sync(0, "textDocument/codeLens", at(0, 5), 20000)
  result.lens = lenses[1].result[1].command.title
  result.before = #vim.diagnostic.get(0)

  vim.api.nvim_buf_set_lines(0, 1, 2, true, { "    return False" })
  wait_for("a diagnostic", function()
    return #vim.diagnostic.get(0) == 1
  end)
  local told = vim.diagnostic.get(0)[1]
  result.diagnostic = { line = told.lnum, character = told.col, severity = told.severity, message = told.message }

  at(0, 5)
  vim.ui.select = function(items, _, choose)
    result.actions = vim.tbl_map(function(item)
      return item[2].title
    end, items)
    choose(items[1])
  end
  vim.lsp.buf.code_action()
  wait_for("the diagnostic to go", function()
    return #vim.diagnostic.get(0) == 0
  end)
  vim.cmd("write")
end

local is_done, problem = pcall(run)
result.problem = not is_done and tostring(problem) or nil
vim.fn.writefile({ vim.fn.json_encode(result) }, vim.env.TX_RESULT)
vim.cmd("qall!")
